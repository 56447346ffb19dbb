"""`judge.check(NNN)`: what the notebook has defined so far is judged as it stands."""

import json
import subprocess
import sys

from house import RIGHT, WRONG

from practice.judging import catalogue, progress


def test_what_the_cells_define_is_judged_saved_and_recorded(book):
    book.run("FACTOR = 2", "import no_such_module", "def double(x):\n    return FACTOR * x\n")
    card, _ = book.check()
    assert "AC accepted" in card["text/html"]
    assert book.saved.read_text() == "FACTOR = 2\n\ndef double(x):\n    return FACTOR * x\n"
    assert progress.states() == {901: "solved"}


def test_the_last_definition_that_ran_is_judged(book):
    book.run(WRONG, RIGHT)
    assert "AC accepted" in book.check()[0]["text/html"]
    book.run(WRONG)
    assert "WA wrong answer" in book.check("double")[0]["text/html"]


def test_without_a_definition_it_says_what_is_missing(book):
    book.run("x = 1")
    card, said = book.check()
    assert card is None
    assert said.stdout == "No cell that has run defines double: run the cell with your answer first.\n"
    assert not book.saved.exists()


def test_an_unknown_problem_is_one_line(book):
    card, said = book.check(999)
    assert (card, said.stdout) == (None, "there is no problem 999; there are 901\n")


def test_the_card_comes_in_place_of_the_bar(book):
    book.run(RIGHT)
    _, said = book.check()
    first, last = said.outputs[0], said.outputs[-1]
    assert "<progress" in first.data["text/html"]
    assert "AC accepted" in last.data["text/html"]
    assert last.update and first.transient["display_id"] == last.transient["display_id"]


def test_the_import_alone_makes_the_magic_known(tmp_path):
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "shell.run_cell('import judge')\n"
        "import json; print(json.dumps('judge' in shell.magics_manager.magics['cell']))\n"
    )
    environment = {"HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path), "PYTHONPATH": str(catalogue.ROOT), "PATH": ""}
    said = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert json.loads(said.stdout or "null") is True, said.stderr


def test_a_failing_answer_is_sent_to_the_section_of_the_chapter(book, house, double, monkeypatch):
    import dataclasses

    pointing = dataclasses.replace(double, section={"en": "What is twice?", "zh": "什么是两倍？"})
    monkeypatch.setattr(catalogue, "all_problems", lambda folder=None: [pointing])
    (house.root / "notebooks" / "en").mkdir(parents=True)
    (house.root / "notebooks" / "en" / "01-doubles.ipynb").write_text(
        json.dumps({"cells": [{"id": "a1b2", "source": ["Text.\n", "\n", "## What is twice?\n", "More."]}]})
    )
    book.run(WRONG)
    card, _ = book.check()
    assert '<a href="../en/01-doubles.ipynb#cell-id=a1b2">What is twice?</a>' in card["text/html"]
    book.run(RIGHT)
    assert "01-doubles" not in book.check()[0]["text/html"]
