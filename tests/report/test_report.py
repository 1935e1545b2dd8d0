"""What the report says, without a browser."""

import dataclasses
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from skfactor.experiments.contest import Contest, usual_grid
from skfactor.report import report, write_report
from skfactor.report.closer import features_in_words, threshold_curves
from skfactor.report.look import label_vectors, look
from skfactor.report.page import Finding, Section, Table, html
from skfactor.report.standing import standing


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


def test_it_needs_nothing_from_elsewhere(page):
    for tag, attributes in Tags(page.read_text()).found:
        assert tag not in ("img", "iframe", "object")
        assert "src" not in attributes
        if tag == "link":
            assert attributes["href"] == "data:,"
        elif "href" in attributes or "xlink:href" in attributes:
            assert (attributes.get("href") or attributes["xlink:href"]).startswith("#")
    assert "@import" not in page.read_text()


def test_identifiers_are_unique_and_references_hit(page):
    text = page.read_text()
    identifiers = re.findall(r'\bid="([^"]+)"', text)
    assert len(identifiers) == len(set(identifiers))
    references = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)
    assert {one or other for one, other in references} <= set(identifiers)


def test_all_parts_are_there(page):
    text = page.read_text()
    for part in (
        "The data: many",
        "Which method is best",
        "Do the methods differ?",
        "Time against quality",
        "Rare labels and frequent ones",
        "What other thresholds would give",
        "A map of the labels",
        "The most similar labels",
        "Examples: few",
        "Worst errors: many",
    ):
        assert part in text


def test_every_picture_has_numbers_and_words(page):
    text = page.read_text()
    figures = text.split("<figure>")[1:]
    assert len(figures) >= 12
    for figure in figures:
        figure = figure.split("</figure>")[0]
        assert len(re.search(r'<svg[^>]* aria-label="([^"]*)"', figure)[1]) > 30
        assert "<details><summary>The numbers</summary>" in figure
        assert figure.count("<tr>") >= 2


def test_colours_follow_the_page(page):
    pictures = "".join(re.findall(r"<svg.*?</svg>", page.read_text(), re.DOTALL))
    assert "var(--ink)" in pictures
    assert set(re.findall(r"(?:fill|stroke): (#\w+)", pictures)) == set()
    assert "#000000" not in pictures


def test_names_are_text_and_never_markup(page):
    text = page.read_text()
    assert "<b onload" not in text
    assert "&lt;b onload=x&gt;&amp;amp;" in text


def test_the_same_contest_gives_the_same_pictures(contest, page):
    one, other = (re.findall(r"<svg.*?</svg>", text, re.DOTALL) for text in (report(contest), page.read_text()))
    assert one == other


def test_one_data_set_gets_no_ranks_and_is_told_why(contest):
    one = dataclasses.replace(contest, data=contest.data[:1])
    section = standing(one)[1]
    assert "Folds of one data set share their rows" in section.text
    assert not section.pictures


def test_failures_are_said(contest):
    records = {key: value for key, value in contest.records.items() if key != ("few", "CSSP")}
    failed = dataclasses.replace(contest, records=records, failures={("few", "CSSP"): "it was too <large>"})
    assert failed.comparison("micro_f1").methods == ["RidgeBR", "PLST"]
    (section, *_) = standing(failed)
    assert section.findings == [Finding("error", "CSSP failed on few", "it was too <large>")]


def test_an_older_report_stays_if_something_goes_wrong(contest, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("older")
    monkeypatch.setattr(Contest, "order", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(contest, path)
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_threshold_curves_meet_the_stored_figure_at_the_calibrated_threshold(contest):
    one = look(contest, contest.data[0])
    shifts, curves = threshold_curves(one)
    here = int(np.flatnonzero(shifts == 0)[0])
    record = contest.records["many", one.method][0]
    assert curves["micro F1"][here] == pytest.approx(record["figures"]["micro_f1"])
    assert curves["macro F1"][here] == pytest.approx(record["figures"]["macro_f1"])
    assert (np.diff(curves["recall"]) <= 1e-12).all()


def test_label_vectors_of_a_method_without_a_linear_map(contest):
    one = look(contest, contest.data[0])
    vectors, source = label_vectors(dataclasses.replace(one, model=object()))
    assert len(vectors) == 20
    assert "have in common" in source


def test_features_in_words(contest):
    data = contest.data[0]
    assert features_in_words(data, 0).startswith("word ")
    assert features_in_words(dataclasses.replace(data, feature_names=None), 0) == ""


def test_a_section_may_be_empty():
    text = html("A title", "A sentence.", [Section("Nothing", tables=[Table(["a"], [])])], {"date": "today"})
    assert "<title>A title</title>" in text


def test_usual_grids_fit_their_methods():
    assert usual_grid("CSSP")["n_components"] == ["80% of labels"]
    assert usual_grid("ItemMedian") == {}
