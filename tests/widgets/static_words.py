"""What a static page is made of, for tests."""

from html.parser import HTMLParser

SANITISED = {"div", "span", "b", "br", "pre", "table", "tr", "th", "td", "style"}  # what an untrusted notebook keeps


class Page(HTMLParser):
    """The words of a page, each piece ended by `end`, and the names of its tags and attributes."""

    def __init__(self, page: str, end: str = "\n"):
        super().__init__()
        self.end = end
        self.seen: set[str] = set()
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.seen |= {tag, *(name for name, _ in attrs)}

    def handle_data(self, data: str) -> None:
        self.words += data + self.end
