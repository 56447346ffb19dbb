"""Grading a folder of submissions: found, spread over worker processes, written down one by one."""
