"""A page made by nbconvert shows the explorer's numbers although no kernel and no widget state comes with it."""

from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output

from paged.widgets import explorer


def test_an_exported_page_shows_the_numbers_without_a_kernel() -> None:
    data, metadata = explorer(lang="en")._repr_mimebundle_()
    cell = new_code_cell("explorer()", outputs=[new_output("display_data", data=data, metadata=metadata)])
    page, _ = HTMLExporter().from_notebook_node(new_notebook(cells=[cell]))
    assert "unused in last blocks 1,514 (0.40%)" in page
