"""The report in a real browser."""

from pathlib import Path

import pytest

from tests.report.browser import Browser, find_browser

pytestmark = pytest.mark.skipif(find_browser() is None, reason="there is no Chromium")
PROBES = (Path(__file__).parent / "probes.js").read_text()


@pytest.fixture(scope="module")
def browser():
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture
def opened(browser, page):
    """Open the report at a width; what is returned asks a probe of it."""

    def at(width, *, dark=False):
        browser.complaints.clear()
        browser.open(page, width, dark=dark)
        return lambda question: browser.run(f"{{{PROBES}; probes.{question}}}")

    return at


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("dark", [False, True])
def test_no_complaints_and_no_text_cut(browser, opened, width, dark):
    ask = opened(width, dark=dark)
    assert browser.run("document.documentElement.scrollWidth") == width
    assert ask("cut()") == []
    assert ask("beyond()") == []
    assert browser.complaints == []


def test_pictures_are_not_empty(opened):
    spans = opened(1400)("spanned()")
    assert len(spans) >= 12
    assert min(spans) > 0.4


def test_texts_of_pictures_can_be_read_on_a_phone(opened):
    sizes = opened(400)("sizes()")
    small = [size for size in sizes if size < 8]
    assert len(small) < 0.1 * len(sizes)  # exponents of logarithmic axes


def test_tables_sort_by_number_and_back(browser, opened):
    up, down = opened(1400)("sorted('data set', 'micro_f1')")
    assert up["values"] == sorted(up["values"])
    assert down["values"] == sorted(up["values"], reverse=True)
    assert (up["order"], down["order"]) == ("ascending", "descending")
    assert len(set(up["values"])) > 3
    assert browser.complaints == []


def test_numbers_open(browser, opened):
    opened(400)
    shown = "document.querySelector('details table').checkVisibility()"
    assert browser.run(shown) is False
    browser.run("document.querySelector('details summary').click()")
    assert browser.run(shown) is True


def test_dark_is_dark_and_both_are_readable(opened):
    light, dark = (opened(1000, dark=dark)("contrast()") for dark in (False, True))
    assert light["ground"] > 0.9
    assert dark["ground"] < 0.05
    assert min(light["least"], dark["least"]) >= 4.5  # what accessibility asks for


def test_it_prints_in_black_on_white(browser, opened):
    opened(1000, dark=True)
    browser.send("Emulation.setEmulatedMedia", media="print", features=[])
    try:
        ground = "getComputedStyle(document.querySelector('section')).backgroundColor"
        assert browser.run(ground) == "rgb(255, 255, 255)"
        assert browser.run("getComputedStyle(document.querySelector('nav')).display") == "none"
        assert len(browser.send("Page.printToPDF")["data"]) > 20_000
    finally:
        browser.send("Emulation.setEmulatedMedia", media="")
