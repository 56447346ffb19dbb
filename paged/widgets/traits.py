"""Traits of widgets: numbers that are what they are taken for."""

from math import isfinite

import traitlets


class Whole(traitlets.Int):
    """An int. True and False are none, though Python counts them among the ints."""

    def validate(self, obj: traitlets.HasTraits, value: object) -> int:
        if isinstance(value, bool):
            self.error(obj, value)
        return super().validate(obj, value)


class Amount(traitlets.Float):
    """A finite float, or an int in its place. Not a number is neither too small nor too large, so Float takes it."""

    def validate(self, obj: traitlets.HasTraits, value: object) -> float:
        if isinstance(value, bool) or (isinstance(value, float) and not isfinite(value)):
            self.error(obj, value)
        return super().validate(obj, value)
