"""Numbers of widgets: True is no number, and what is not finite is no amount; refused, they change nothing."""

from importlib import import_module
from math import inf, nan
from pathlib import Path

import pytest
import traitlets

import paged.widgets
from paged.widgets import capacity_planner
from paged.widgets.traits import Amount, Whole

MODULES = sorted(path.stem for path in Path(paged.widgets.__file__).parent.glob("*_widget.py"))


@pytest.mark.parametrize("module", MODULES)
def test_every_number_of_a_widget_is_a_whole_number_or_an_amount(module):
    classes = [
        thing
        for thing in vars(import_module(f"paged.widgets.{module}")).values()
        if isinstance(thing, type) and issubclass(thing, traitlets.HasTraits) and thing.__module__.endswith(module)
    ]
    assert classes
    for widget in classes:
        own = {name: trait for name, trait in widget.class_traits().items() if name in vars(widget)}
        assert own
        for name, trait in own.items():
            if isinstance(trait, traitlets.Int | traitlets.Float):
                assert isinstance(trait, Whole | Amount), name


@pytest.mark.parametrize("name", ["num_gpus", "tokens", "reserved_tokens", "block_size", "kept", "weights"])
@pytest.mark.parametrize("value", [True, False, nan, inf])
def test_what_is_no_number_changes_nothing(name, value):
    widget = capacity_planner()
    before = getattr(widget, name), dict(widget.results)
    with pytest.raises(traitlets.TraitError):
        setattr(widget, name, value)
    assert (getattr(widget, name), dict(widget.results)) == before
