"""The set-up behind `make setup`, `make lab` and `make test`.

Standard library only, since it runs before anything is installed.

main.py     the order of the steps
plan.py     what to install here: PyTorch or not, which build, how much that is
venv.py     the folder: made, asked how it is, stamped when finished
install.py  the pip runs: packages, PyTorch from the right place, the course itself
health.py   run inside .venv: which pinned packages are missing, which are damaged
packages.py runs pip and follows what it does
display.py  the one line that moves, or plain lines in a log
failures.py one clear line for what can go wrong
wording.py  English or Chinese
"""
