"""The documentation: every example runs, every page is written, every piece of advice is borne out."""

import re

import numpy as np
import pytest

from docs import which_method
from docs.__main__ import HERE, Site, example, methods
from docs.docstrings import blocks, entries, parsed
from docs.which_method import Claim, Evidence
from tests.report.browser import Browser, find_browser

SCRIPTS = sorted((HERE / "gallery").glob("*.py"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """All pages, with two examples."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("docs.__main__.examples", lambda: [example(SCRIPTS[0]), example(SCRIPTS[6])])
        return Site(tmp_path_factory.mktemp("docs") / "site").build().parent


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_examples_run(path):
    found = example(path)
    assert found.question.endswith("?")
    assert found.text
    assert found.printed.count("\n") >= 1
    assert len(found.code.splitlines()) <= 30
    assert ("figure = " in found.code) == (found.picture is not None)


def test_every_method_has_a_page_and_is_listed(site):
    listed = set(re.findall(r'href="methods/(\w+)\.html"', (site / "methods.html").read_text()))
    written = {path.stem for path in (site / "methods").glob("*.html")}
    assert listed == written == {method.name for room in methods().values() for method in room}
    assert {"OMMF", "TWOMF", "GroPLE", "MLCHMF", "CNMF", "MNMTF", "HMF", "PMMMF", "KernelFeatures"} <= written


def test_links_lead_to_pages(site):
    for page in site.rglob("*.html"):
        for target in re.findall(r'<a href="([^"#:]+)"', page.read_text()):
            assert (page.parent / target).is_file(), f"{page.name} leads to {target}"


def test_pages_show_formulas_as_they_stand(site):
    text = (site / "methods" / "PLST.html").read_text()
    assert "<pre>1/n ||Y V - X E||^2 + ridge * m * ||E||^2,        scores = X E V&#39; + b</pre>" in text
    assert "<dt><code>n_components</code> <span>int, optional</span></dt>" in text
    assert '<a href="MomentClassifier.html"><code>MomentClassifier</code></a>' in text


def test_docstrings_in_parts():
    class Thing:
        """What it is.

        Text with `code`.

        Parameters
        ----------
        a, b : int
            First paragraph.

            Second one.

        Examples
        --------
        >>> Thing() < 3

        >>> 4
        """

    found = parsed(Thing)
    assert found.summary == "What it is."
    assert found.text == "<p>Text with <code>code</code>.</p>"
    assert found.sections["Parameters"].count("<p>") == 2
    assert found.sections["Examples"] == "<pre>&gt;&gt;&gt; Thing() &lt; 3\n\n&gt;&gt;&gt; 4</pre>"
    assert blocks("") == ""
    assert entries("") == "<dl></dl>"


@pytest.mark.parametrize("claim", which_method.claims(), ids=lambda claim: f"{claim.take}-{claim.over}")
def test_advice_is_borne_out(claim):
    assert which_method.evidence().gain(claim) > 0


def made_up(**values):
    figures = {name: {"micro_f1": folds} for name, folds in values.items()}
    return Evidence({"data": {"d": {"figures": figures}}, "grids": dict.fromkeys(values)})


def test_as_good_are_those_whose_folds_do_not_part_from_the_best():
    rng = np.random.default_rng(0)
    best = 0.7 + 0.01 * rng.normal(size=5)
    found = made_up(best=best, near=best - 0.002 * rng.random(5) + 0.001, far=best - 0.2 + 0.001 * rng.random(5))
    assert found.as_good("d", "micro_f1")[0] in ("best", "near")
    assert set(found.as_good("d", "micro_f1")) == {"best", "near"}


def test_advice_that_is_not_borne_out_stops_the_build():
    found = made_up(one=[0.5, 0.6], other=[0.6, 0.7])
    claim = Claim("Always", "one", "other", "micro_f1", ["d"])
    assert found.gain(claim) == pytest.approx(-0.1)
    with pytest.raises(ValueError, match="do not bear out: Always: one over other"):
        which_method._told(found, claim)


def test_figures_are_of_the_stored_comparison(site):
    text = (site / "which-method.html").read_text()
    found = which_method.evidence()
    for name, data in found.record["data"].items():
        for method in data["figures"]:
            assert f'data-value="{found.value(name, method, "micro_f1")}"' in text, f"{method} on {name}"


@pytest.mark.skipif(find_browser() is None, reason="there is no Chromium")
@pytest.mark.parametrize("width", [400, 1400])
def test_pages_fit_the_screen(site, width):
    browser = Browser()
    try:
        for name in ("index", "gallery", "methods", "which-method", "methods/TWOMF", "methods/MLCHMF"):
            browser.open(site / f"{name}.html", width)
            assert browser.run("document.documentElement.scrollWidth") == width, name
        assert browser.complaints == []
    finally:
        browser.close()
