"""Writing SVG: elements, numbers, and text that may come from anywhere.

Made on the standard library's ElementTree, which escapes text and attributes; drawsvg, the library at hand, leaves
quotes in attributes as they are (a company id could then add elements) and takes eight times as long. Points are
complex numbers, x + y·j, y downwards.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from xml.etree import ElementTree

FONTS = "Helvetica, Arial, sans-serif"

# Characters that XML forbids, C1 controls, and those that turn the direction of the text around them.
_UNSAFE = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u200b-\u200f\u2028-\u202e\u2066-\u2069]"
)
_BROAD = frozenset("CDGHNOQU")
_NARROW, _SLIM, _WIDE = frozenset("ijlI.,:;'|!`"), frozenset('frt()[]{}/\\- "*'), frozenset("mwMW%@&—…")


def clean(text: str, limit: int = 200) -> str:
    """One line of text that may stand in an XML file: no control characters, at most ``limit`` characters."""
    line = " ".join(_UNSAFE.sub("\ufffd", text[: 4 * limit]).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Estimated width of a line of text: that of DejaVu Sans, the widest of the common sans-serif fonts."""
    return sum(map(_em, text)) * size * (1.1 if bold else 1.0)


def _em(c: str) -> float:
    if c in _NARROW:
        return 0.33
    if c in _SLIM:
        return 0.42
    if c in _WIDE:
        return 1.0
    if c.isascii():
        return 0.78 if c in _BROAD else 0.7 if c.isupper() else 0.62
    if unicodedata.combining(c):
        return 0.0
    return 1.05 if unicodedata.east_asian_width(c) in "WF" else 0.75


def shorten(text: str, width: float, size: float, bold: bool = False) -> str:
    """The text, cut with an ellipsis where it is wider than ``width``."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def wrap(words: Iterable[str], width: float, size: float, bold: bool = False) -> list[str]:
    """Lines of at most ``width``; a word that is wider alone is cut."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(shorten(word, width, size, bold))
    return lines


def number(value: float) -> str:
    """A coordinate, to a hundredth."""
    text = f"{value:.2f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def xy(point: complex) -> str:
    """A point in path data."""
    return f"{number(point.real)} {number(point.imag)}"


def polygon(points: Iterable[complex]) -> str:
    """Path data of a closed polygon."""
    return "M" + "L".join(map(xy, points)) + "Z"


class Canvas:
    """An SVG element to draw into. Attributes are keywords, ``_`` for ``-``; numbers are rounded."""

    def __init__(self, element: ElementTree.Element) -> None:
        self.element = element

    @classmethod
    def root(cls, low: complex, high: complex, width: int) -> Canvas:
        """A picture of the rectangle from ``low`` to ``high``, ``width`` pixels wide."""
        size = high - low
        box = " ".join(map(number, (low.real, low.imag, size.real, size.imag)))
        height = max(1, round(width * size.imag / size.real))
        attributes = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "font-family": FONTS, "role": "img"}
        return cls(ElementTree.Element("svg", {**attributes, "width": str(width), "height": str(height)}))

    def group(self, name: str, **attributes: str | float) -> Canvas:
        """A layer; its attributes hold for what is drawn into it."""
        return Canvas(self.add("g", class_=name, **attributes))

    def add(self, tag: str, **attributes: str | float) -> ElementTree.Element:
        """An element; returned so that text or children can be added."""
        return ElementTree.SubElement(
            self.element,
            tag,
            {k.rstrip("_").replace("_", "-"): v if isinstance(v, str) else number(v) for k, v in attributes.items()},
        )

    def path(self, data: str, **attributes: str | float) -> Canvas:
        """A path."""
        return Canvas(self.add("path", d=data, **attributes))

    def tip(self, text: str) -> None:
        """Text that is shown to those who point at this."""
        self.add("title").text = text

    def circle(self, at: complex, radius: float, **attributes: str | float) -> None:
        """A circle."""
        self.add("circle", cx=at.real, cy=at.imag, r=radius, **attributes)

    def box(self, at: complex, width: float, height: float, **attributes: str | float) -> None:
        """A rectangle by its middle."""
        x, y = at.real - width / 2, at.imag - height / 2
        self.add("rect", x=x, y=y, width=width, height=height, **attributes)

    def text(self, at: complex, text: str, size: float, bold: bool = False, **attributes: str | float) -> None:
        """A line of text whose middle (or start or end, by ``text_anchor``) is at ``at``, centred on its height."""
        if bold:
            attributes["font_weight"] = "bold"
        attributes.setdefault("text_anchor", "middle")
        element = self.add("text", x=at.real, y=at.imag + 0.36 * size, font_size=size, **attributes)
        element.text = clean(text)

    def __str__(self) -> str:
        return ElementTree.tostring(self.element, encoding="unicode")
