"""The judge's front door: `python judge.py …` on the command line, `import judge` in a notebook.

In a notebook the import registers the cell magic `%%judge 127`: the cell is saved as the answer to problem 127 in
practice/workspace/, judged, and then run, so that later cells can use what it defines. `judge.check(127)` judges what
the cells that have run so far define.
"""

import os
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))


def check(number):
    """Judge what the notebook has defined for problem `number`, with everything that this uses from other cells."""
    from practice.judging.notebook import check

    check(number)


if __name__ == "__main__":
    from practice.judging.bootstrap import main

    main(ROOT)
elif "IPython" in sys.modules:
    from practice.judging.notebook import register

    register()
