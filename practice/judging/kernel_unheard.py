"""While a kernel runs, the host is told nothing of what Python and numpy do for it.

Learner's side. A wrapper that listens could learn what a kernel has found: from what it prints, from arithmetic that
goes wrong, from the functions that are called. It still has a clock.
"""

import contextlib
import io
import sys
import warnings

import numpy as np

PRINTED = io.StringIO()


@contextlib.contextmanager
def unheard():
    """While this is open, what is printed is kept; no warning, profiler, tracer or callback of numpy hears a thing."""
    listeners = sys.getprofile(), sys.gettrace()
    sys.setprofile(None), sys.settrace(None)
    try:
        with contextlib.redirect_stdout(PRINTED), np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.setprofile(listeners[0]), sys.settrace(listeners[1])


def printed():
    """What has been printed since this was last asked."""
    said = PRINTED.getvalue()
    PRINTED.seek(PRINTED.truncate(0))
    return said
