"""The judge's front door: `python judge.py …` on the command line, `import judge` in a notebook.

In a notebook the import registers the cell magic `%%judge 127`: the cell is saved as the answer to problem 127 in
practice/workspace/, judged, and then run, so that later cells can use what it defines.
"""

import os
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))

if __name__ == "__main__":
    from practice.judging.bootstrap import main

    main(ROOT)
elif "IPython" in sys.modules:
    from practice.judging.notebook import register

    register()
