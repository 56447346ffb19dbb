"""A matplotlib figure that a notebook shows once, whether or not pyplot is in use there."""

from io import BytesIO

from matplotlib.figure import Figure


class Picture(Figure):
    def _repr_png_(self) -> bytes:
        page = BytesIO()
        self.savefig(page, format="png")
        return page.getvalue()
