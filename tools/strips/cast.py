"""The cast of every strip. Each figure stands with its feet at (x, y); a hand is a point as seen from there.

The clerk: a round-eyed robot in an usher's uniform, on one wheel. The query: a detective whose head is a magnifying
glass. Tokens: small blocks with feet, in their request's colour and with its letter, or their position, on the belly.
Blocks of memory: drawers with eyes and a number plate.
"""

from strips.lettering import letter
from strips.paper import INK, WHITE, Pen

METAL, RED, GOLD, GLASS, COAT, WOOD = "#cfdbe0", "#c8434f", "#f0b64d", "#e4f4fb", "#d8bb8a", "#d9a56b"
REQUESTS = {"A": "#7db8e6", "B": "#7fcfa6", "C": "#dba6d6", "D": "#f4ae6d", "": "#ffffff"}
MOUTHS = {
    "calm": "M-9 0h18",
    "happy": "M-12 -3q12 12 24 0",
    "worried": "M-11 2q5 -7 11 -1t11 -1",
    "deadpan": "M-10 1h20",
    "sad": "M-10 3q10 -9 20 0",
}


def eyes(pen: Pen, x: float, y: float, apart: float, r: float, look: tuple, mood: str, lid: str) -> None:
    """A pair of eyes around (x, y) that look towards `look`, each part of it within -1..1."""
    for side in (-1, 1):
        at = x + side * apart
        pen.circle(at, y, r, WHITE)
        px, py = at + 0.42 * r * look[0], y + 0.42 * r * look[1]
        pen.circle(px, py, 0.46 * r, INK, line=0)
        pen.circle(px + 0.16 * r, py - 0.16 * r, 0.14 * r, WHITE, line=0)
        if mood == "deadpan":
            pen.path(f"M{at - r} {y}a{r} {r} 0 0 1 {2 * r} 0z", lid)
        elif mood in ("worried", "sad"):
            pen.path(f"M{at - side * 0.8 * r} {y - 1.5 * r}l{side * 1.5 * r} {0.45 * r}", line=3)


def mouth(pen: Pen, x: float, y: float, mood: str, scale: float = 1) -> None:
    if mood == "open":
        pen.add("ellipse", cx=x, cy=y, rx=7 * scale, ry=6 * scale, fill="#7c2430", stroke=INK, stroke_width=2.5)
    else:
        pen.group(x, y, scale).path(MOUTHS[mood], line=3)


def arms(pen: Pen, shoulders: tuple, hands: tuple, sleeve: str, glove: str) -> None:
    """Two bent arms. shoulders: ((x, y), (x, y)); a hand that is None stays behind the back."""
    for side, (x, y), hand in zip((-1, 1), shoulders, hands, strict=True):
        if hand:
            to_x, to_y = hand
            pen.tube(f"M{x} {y}Q{(x + to_x) / 2 + 12 * side:.1f} {(y + to_y) / 2 + 14:.1f} {to_x} {to_y}", sleeve, 10)
            pen.circle(to_x, to_y, 9, glove)


def clerk(
    pen: Pen, x: float, y: float, look=(0, 0), mood="calm", hands=((-46, -52), (46, -52)), scale: float = 1
) -> None:
    """About 120 wide and 230 high."""
    g = pen.group(x, y, scale)
    g.circle(0, -15, 15, "#4d5562")
    g.circle(0, -15, 5, METAL)
    g.path("M-35 -106Q-38 -34 -24 -28H24Q38 -34 35 -106Q0 -120 -35 -106Z", RED)
    g.path("M-11 -110V-30M11 -110V-30", line=2, ink="#9d2f3b")
    for button in (-84, -64, -44):
        g.circle(0, button, 4, GOLD, line=2)
    g.rect(-9, -124, 18, 14, "#9fb0b8")
    g.path("M0 -106L-17 -115V-96ZM0 -106L17 -115V-96Z", INK, line=1.5)
    for side in (-1, 1):
        g.rect(side * 52 - 6, -166, 12, 26, "#9fb0b8", r=4)
    g.path("M0 -204V-222", line=3)
    g.circle(0, -226, 6, GOLD)
    g.rect(-49, -188, 98, 70, METAL, r=24)
    eyes(g, 0, -156, 21, 17, look, mood, METAL)
    mouth(g, 0, -129, mood, 0.9)
    g.path("M-27 -186L-23 -208H23L27 -186Q0 -178 -27 -186Z", RED)
    g.path("M-26 -192Q0 -184 26 -192", line=4, ink=GOLD)
    arms(g, ((-33, -98), (33, -98)), hands, RED, WHITE)


def query_head(pen: Pen, look: tuple, mood: str) -> None:
    """The magnifying glass under its cap, for a body whose feet are at the origin; 92 wide, from -113 up to -218."""
    pen.circle(0, -154, 41, GOLD)
    pen.circle(0, -154, 33, GLASS)
    pen.path("M-24 -164Q-20 -178 -7 -181", line=4, ink=WHITE)
    eyes(pen, 0, -156, 13, 10.5, look, mood, GLASS)
    mouth(pen, 0, -135, mood, 0.7)
    pen.path("M-36 -182Q-34 -218 0 -218Q34 -218 36 -182Q0 -192 -36 -182Z", "#8c9a6b")
    pen.path("M-46 -178Q-30 -194 -14 -190M46 -178Q30 -194 14 -190", line=5)
    pen.path("M-12 -216V-191M12 -216V-191M-33 -200Q0 -210 33 -200", line=1.5, ink="#66734a")


def query(
    pen: Pen, x: float, y: float, look=(0, 0), mood="calm", hands=((-40, -42), (40, -42)), scale: float = 1
) -> None:
    """About 100 wide and 222 high."""
    g = pen.group(x, y, scale)
    for side in (-1, 1):
        g.path(f"M{10 * side} -24V-6", line=9)
        g.add("ellipse", cx=13 * side, cy=-4, rx=12, ry=6, fill=INK)
    g.path("M-22 -98Q-28 -60 -36 -22H36Q28 -60 22 -98Z", COAT)
    g.path("M-30 -56H30", line=6, ink="#8a6a3b")
    g.path("M-14 -99L0 -76L14 -99M0 -76V-24", line=2)
    g.rect(-8, -116, 16, 22, "#7a4f2a", r=4)
    query_head(g, look, mood)
    arms(g, ((-22, -90), (22, -90)), hands, COAT, "#f3d9b8")


def token(
    pen: Pen, x: float, y: float, request: str, label: str | None = None, look=(0, 0), mood="calm", size: float = 40
) -> None:
    """A block with feet, `size` wide. label: what stands on its belly, the request's letter unless told otherwise."""
    g = pen.group(x, y, size / 40)
    g.path("M-9 -5V0h-5M9 -5V0h5", line=3)
    g.rect(-20, -44, 40, 40, REQUESTS[request], r=9)
    eyes(g, 0, -33, 8, 6.5, look, mood, REQUESTS[request])
    mouth(g, 0, -21.5, mood, 0.55)
    letter(g, (-19, -19, 38, 16), request if label is None else label, 12.5, weight=700, pad=1)


def drawer(pen: Pen, x: float, y: float, number: str, look=(0, 0), mood="calm", scale: float = 1) -> None:
    """A block of memory: a shut drawer with feet, 60 wide and 74 high, and its number."""
    g = pen.group(x, y, scale)
    g.path("M-16 -6V0h-7M16 -6V0h7", line=3.5)
    g.rect(-30, -54, 60, 50, WOOD, r=7)
    g.path("M-30 -44H30", line=1.5, ink="#a9763f")
    eyes(g, 0, -57, 12, 11, look, mood, WOOD)
    g.rect(-15, -36, 30, 22, WHITE, r=5, line=2)
    letter(g, (-15, -36, 30, 22), number, 17, weight=700, pad=1)
    mouth(g, 0, -9.5, mood, 0.45)
