"""Messages are asserted in English, whatever the tester's locale."""

import pytest


@pytest.fixture(autouse=True)
def in_english(monkeypatch):
    monkeypatch.setenv("LANG_EDITION", "en")
