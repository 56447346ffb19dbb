"""The judge's front door: `python judge.py …` on the command line, `import judge` in a notebook.

In a notebook the import registers the cell magic `%%judge 127`: the cell is saved as the answer to problem 127 in
practice/workspace/, judged, and then run, so that later cells can use what it defines. `judge.check(127)` judges what
the cells that have run so far define, `judge.points(127, 10)` does so for a grade; `judge.replay()` steps through the
run that the last verdict shows, and `judge.mine(127)` is the accepted answer, to go on with.
"""

import os
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))


def check(number):
    """Judge what the notebook has defined for problem `number`, with everything that this uses from other cells."""
    from practice.judging.notebook import check

    check(number)


def points(number, max_points):
    """Judge the notebook's answer to problem `number`: how many of `max_points` it is worth, as nbgrader counts."""
    from practice.judging.notebook import points

    return points(number, max_points)


def mine(number):
    """The learner's accepted answer to problem `number` as a module, else the library's; a line says which it is."""
    from practice.judging.mine import mine

    return mine(number)


def replay():
    """Step through the failing run of the last verdict: what your code did, beside what was due."""
    from paged.widgets import replay as widget
    from practice.judging import language, messages, notebook

    frames, lang = notebook.last_run(), language.choose()
    if not frames:
        print(messages.say(lang, "nothing_to_replay"))
        return None
    return widget(frames, lang=lang)


if __name__ == "__main__":
    from practice.judging.bootstrap import main

    main(ROOT, ["classroom.commands"])
elif "IPython" in sys.modules:
    from practice.judging.notebook import register

    register()
