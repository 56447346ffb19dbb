"""`python practice/judge.py …`: the judge, from any folder."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

if __name__ == "__main__":
    sys.path[0] = ROOT  # in place of practice/, where this file would be found as `judge`
    from practice.judging.bootstrap import main

    main(ROOT, ["classroom.commands"])
