"""What a static page is made of, for tests."""

from html.parser import HTMLParser

SANITISED = {"div", "span", "b", "br", "pre", "table", "tr", "th", "td", "style"}  # what an untrusted notebook keeps


class Page(HTMLParser):
    """The words of a page, and the names of its tags and attributes."""

    def __init__(self, page: str):
        super().__init__()
        self.seen: set[str] = set()
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.seen |= {tag, *(name for name, _ in attrs)}

    def handle_data(self, data: str) -> None:
        self.words += data + "\n"
