"""The notebook builder on small sources: what it writes, and what it refuses, with file and line."""

from pathlib import Path

import nbformat
import pytest
from build_notebooks import main

GOOD = """\
+++ {"lang": "en"}

# Sums

![A box](../figures/box.svg) and the [other edition](../zh/01-sums.ipynb)

+++ {"lang": "zh"}

# 求和

```{code-cell} python3
print(1 + 1)
```

+++

<!-- exercise: 7 -->

+++ {"lang": "en"}

The end.

+++ {"lang": "zh"}

完。
"""


class Course:
    """A course of one chapter and one problem in a temporary folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.write("problems/7-seven/statement.en.md", "Return 7.\n")
        self.write("problems/7-seven/statement.zh.md", "返回 7。\n")
        self.write("problems/7-seven/starter.py", "def seven():\n    return 0\n")
        self.write("notebooks/figures/box.svg", "<svg/>")
        self.write("notebooks/src/01-sums.md", GOOD)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def build(self, *flags: str) -> int:
        notebooks, problems = self.folder / "notebooks", self.folder / "problems"
        return main(["--notebooks", str(notebooks), "--problems", str(problems), *flags])

    def built(self, lang: str) -> Path:
        return self.folder / "notebooks" / lang / "01-sums.ipynb"

    def cells(self, lang: str) -> list:
        return nbformat.read(self.built(lang), as_version=4).cells


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)


def test_each_edition_has_its_own_prose_and_all_code(course: Course):
    assert course.build() == 0
    english, chinese = (
        [(cell.cell_type, cell.source.splitlines()[0]) for cell in course.cells(lang)] for lang in ("en", "zh")
    )
    code, judged = ("code", "print(1 + 1)"), ("code", "%%judge 7")
    assert english == [("markdown", "# Sums"), code, ("markdown", "Return 7."), judged, ("markdown", "The end.")]
    assert chinese == [("markdown", "# 求和"), code, ("markdown", "返回 7。"), judged, ("markdown", "完。")]


def test_an_exercise_is_its_starter_below_the_judge_magic(course: Course):
    course.build()
    assert course.cells("en")[3].source == "%%judge 7\n\ndef seven():\n    return 0"


def with_output(end: str) -> str:
    """The small chapter, its last two cells opening with what the code cell prints."""
    ends = "".join(
        f'+++ {{"lang": "{lang}"}}\n\n```text expected\n2\n```\n\n{text}\n\n'
        for lang, text in (("en", end), ("zh", "完。"))
    )
    return GOOD[: GOOD.index('+++ {"lang": "en"}\n\nThe end.')] + ends


def test_expected_output_is_folded_in_a_cell_of_its_own_and_in_the_notebooks_language(course: Course):
    course.write("notebooks/src/01-sums.md", with_output("The end."))
    assert course.build() == 0
    assert [[cell.source for cell in course.cells(lang)[-2:]] for lang in ("en", "zh")] == [
        ["<details>\n<summary>You should see</summary>\n\n```text expected\n2\n```\n\n</details>", "The end."],
        ["<details>\n<summary>应当看到</summary>\n\n```text expected\n2\n```\n\n</details>", "完。"],
    ]


def test_a_fault_below_expected_output_is_told_with_its_own_line(course: Course, capsys: pytest.CaptureFixture):
    course.write("notebooks/src/01-sums.md", with_output("[there](gone.md)"))
    assert course.build() == 2
    assert "01-sums.md:25: link gone.md" in capsys.readouterr().err


def test_notebooks_say_their_language_and_kernel_and_hold_no_outputs(course: Course):
    course.build()
    book = nbformat.read(course.built("zh"), as_version=4)
    nbformat.validate(book)
    assert book.metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "lang": "zh",
    }
    assert all(cell.outputs == [] and cell.execution_count is None for cell in book.cells if cell.cell_type == "code")


def test_a_rebuild_gives_the_same_bytes_and_the_check_passes(course: Course):
    course.build()
    before = course.built("en").read_bytes()
    course.built("en").unlink()
    assert course.build() == 0
    assert course.built("en").read_bytes() == before
    assert course.build("--check") == 0


def test_the_check_names_a_file_that_differs_and_leaves_it(course: Course, capsys: pytest.CaptureFixture):
    course.build()
    course.built("zh").write_text("edited", encoding="utf-8")
    assert course.build("--check") == 1
    assert f"stale: {course.built('zh')}" in capsys.readouterr().err
    assert course.built("zh").read_text(encoding="utf-8") == "edited"


def test_the_check_names_a_file_that_was_never_built(course: Course, capsys: pytest.CaptureFixture):
    assert course.build("--check") == 1
    assert f"stale: {course.built('en')}" in capsys.readouterr().err
    assert not course.built("en").exists()


def test_a_cell_id_changes_with_the_cell_and_no_other_id_does(course: Course):
    course.build()
    before = [cell.id for cell in course.cells("en")]
    course.write("notebooks/src/01-sums.md", GOOD.replace("1 + 1", "1 + 2"))
    course.build()
    after = [cell.id for cell in course.cells("en")]
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, True, True, True]


def test_two_equal_cells_have_different_ids(course: Course):
    cell = "```{code-cell} python3\nprint(1 + 1)\n```\n"
    course.write("notebooks/src/01-sums.md", GOOD.replace(cell, cell * 2))
    course.build()
    ids = [cell.id for cell in course.cells("en")]
    assert len(set(ids)) == len(ids) == 6


@pytest.mark.parametrize(
    ("old", "new", "line", "fault"),
    [
        pytest.param("exercise: 7", "exercise: 8", 17, "0 folders 8-*", id="unknown problem"),
        pytest.param("exercise: 7", "exercise: seven", 17, "0 folders seven-*", id="a problem that is no number"),
        pytest.param("exercise: 7", "quiz: 7", 17, "unknown directive 'quiz'", id="unknown directive"),
        pytest.param("完。", "<!-- exercise: 7 -->\n完。", 25, "must stand alone", id="directive among prose"),
        pytest.param("完。", "```{note}\n完。\n```", 25, "unknown directive {note}", id="MyST fence"),
        pytest.param("完。", "一。\n\n:::{note}\n完。\n:::", 27, "unknown directive :::{note}", id="MyST colon fence"),
        pytest.param('+++ {"lang": "en"}\n\nThe end.', "+++\n\nThe end.", 21, "found lang None", id="no language"),
        pytest.param('+++ {"lang": "zh"}\n\n完。', "", 21, "no Chinese counterpart", id="English alone"),
        pytest.param('+++ {"lang": "en"}\n\nThe end.\n\n', "", 21, "no English counterpart", id="Chinese alone"),
        pytest.param('"lang": "zh"}\n\n# ', '"lang": "de"}\n\n# ', 3, "no Chinese counterpart", id="another language"),
        pytest.param("+++\n\n<!--", '+++ {"lang": "en"}\n\n<!--', 17, "take `lang` away", id="directive with a lang"),
        pytest.param("+++\n\n<!--", "+++ {lang\n\n<!--", 1, "could not be read", id="broken metadata"),
        pytest.param("box.svg", "bag.svg", 5, "image ../figures/bag.svg: there is no", id="missing figure"),
        pytest.param("![A box]", "![]", 5, "no alt text", id="figure without alt text"),
        pytest.param("zh/01-sums.ipynb", "zh/02-products.ipynb#top", 5, "link ../zh/02-products", id="broken link"),
        pytest.param("The end.", '<img src="gone.png" alt="a">', 21, "gone.png: there is no", id="missing HTML image"),
        pytest.param("The end.", "| a |\n|---|\n| [b](gone.md) |", 23, "link gone.md", id="broken link in a table"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_file_and_line(course: Course, capsys, old: str, new: str, line: int, fault: str):
    assert GOOD.count(old) == 1
    course.write("notebooks/src/01-sums.md", GOOD.replace(old, new))
    assert course.build() == 2
    told = capsys.readouterr().err
    assert told.startswith(f"{course.folder / 'notebooks/src/01-sums.md'}:{line}: ")
    assert fault in told
    assert not course.built("en").exists()


@pytest.mark.parametrize("missing", ["statement.zh.md", "starter.py"])
def test_a_problem_without_a_file_is_named(course: Course, capsys: pytest.CaptureFixture, missing: str):
    (course.folder / "problems/7-seven" / missing).unlink()
    assert course.build() == 2
    assert f"01-sums.md:17: problem 7 has no {missing}" in capsys.readouterr().err


def test_a_broken_link_in_a_statement_names_the_statement(course: Course, capsys: pytest.CaptureFixture):
    course.write("problems/7-seven/statement.en.md", "Return 7.\n\nSee [there](gone.md).\n")
    assert course.build() == 2
    assert "statement.en.md:3: link gone.md" in capsys.readouterr().err


def test_outside_links_and_headings_are_left_alone(course: Course):
    prose = "The end. [Paper](https://example.org/a.pdf), [top](#Sums), `[not](a-link)`"
    course.write("notebooks/src/01-sums.md", GOOD.replace("The end.", prose))
    assert course.build() == 0
