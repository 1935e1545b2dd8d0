"""How the score of a search depends on its parameters: a curve over one, a heat map over two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skfactor.model_selection.profiles import Profile
from skfactor.report.figures.style import SERIES, canvas, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled()
def search_profile(profile: Profile) -> Figure:
    """Draw a profile of `FactorSearchCV.profile` in the style of the report; the best point has a ring.

    Parameters
    ----------
    profile : Profile
        Over one parameter, or over two.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.model_selection import FactorSearchCV
    >>> from skfactor.multilabel import PLST
    >>> from skfactor.report.figures.search import search_profile
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> search = FactorSearchCV(PLST(), {"ridge": [0.01, 0.1, 0.3, 1.0, 9.0]}).fit(data.X, data.Y)
    >>> search_profile(search.profile("ridge")).axes[0].get_xlabel()
    'ridge'
    """
    figure, axes = canvas()
    axes.set_prop_cycle(color=SERIES)
    profile.plot(axes, ring=SERIES[1])
    axes.grid(visible=len(profile.names) == 1)
    return figure
