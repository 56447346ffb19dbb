"""Handing in: files and notebooks of students, and what a batch finds of them."""

import json
from pathlib import Path

from classroom.batch.find import tasks

POOL = "class BlockPool:\n    pass\n"


def put(folder: Path, name: str, content: str | dict = POOL) -> Path:
    """Write a file below the folder; a notebook is given as its JSON."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def found(folder: Path, **options) -> list[tuple]:
    return [(task.student, task.assignment, task.problem, task.note) for task in tasks(folder, "en", **options)]


def lying(file: Path) -> dict[str, bytes | None]:
    """What lies beside a file and is it: its name, and what is in it."""
    return {path.name: path.read_bytes() if path.is_file() else None for path in file.parent.iterdir()}


def notebook(*cells: str) -> dict:
    made = [{"cell_type": "code", "metadata": {}, "source": cell, "outputs": []} for cell in cells]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}
