"""nbgrader's `autograde` with the judge in place of a kernel: reading → mending → judging → saving; and its feedback.

nbgrader_config.py names these classes; nbgrader's own commands then do the rest.
"""
