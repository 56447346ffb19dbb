"""A JupyterHub for a class: see README.md in this folder."""
