import numpy as np
import pytest

from skfactor.multilabel.mlc_hmf_tree import Node, Tree
from skfactor.report.figures.label_tree import draw_label_tree

EMBEDDING = object()  # only whether there is one is drawn


@pytest.fixture
def tree():
    nodes = [
        Node(0, -1, 1, 60, np.arange(0, 40), EMBEDDING),
        Node(1, 0, 2, 15, np.arange(40, 55), EMBEDDING),
        Node(2, 0, 2, 5, np.arange(0), None),
        Node(3, -1, 1, 40, np.arange(60, 100), EMBEDDING),
    ]
    return Tree(nodes, np.arange(55, 60))


def boxes(figure):
    return {
        (bar.get_x(), round(bar.get_y() + bar.get_height() / 2), bar.get_width()) for bar in figure.axes[0].patches
    }


def test_boxes_are_under_the_rows_that_were_passed_on(tree):
    assert boxes(draw_label_tree(tree)) == {(0, 1, 40), (40, 1, 20), (40, 2, 15), (55, 2, 5), (60, 1, 40)}


def test_what_is_kept_is_written_where_there_is_room(tree):
    figure = draw_label_tree(tree)
    assert [text.get_text() for text in figure.axes[0].texts] == ["0: 40/60", "1: 15/15", "3: 40/40"]
    assert figure.axes[0].get_title(loc="left") == "3 nodes keep 95 of 100 rows"


def test_a_picture_comes_out(tree, tmp_path):
    draw_label_tree(tree).savefig(tmp_path / "tree.png")
    assert (tmp_path / "tree.png").stat().st_size > 1000
