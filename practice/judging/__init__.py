"""The judge: catalogue → start a child → drive programs → verdict → show.

Problems import their vocabulary from here; everything loads on first use, so that importing the package costs nothing.
"""

_HOME = {"Group": "generate", "Plan": "plan", "Op": "plan", "plans": "plan", "peek": "program"}
__all__ = sorted(_HOME)


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
