"""The table as text: what scores differently reads differently."""

import pytest

from engine_cy.moon_river.text import PARTNERS
from tests.unit.moon_river.table import CORN_5, DESERT, DESERT_CIRCLE, FARM_CIRCLE, Laid, table


@pytest.mark.parametrize("plot", [DESERT_CIRCLE, FARM_CIRCLE])
@pytest.mark.parametrize("cows", [0, 1, 2, 3, 4])
def test_partners_are_told_apart(plot: int, cows: int) -> None:
    """However much else is on the plot: a Desperado from a Gold digger, a Thief from a Trapper."""
    texts = {
        partner: str(
            table(ranch={(0, 0): Laid(plot, cows=cows, partner=partner), (1, 0): CORN_5}, hand=[DESERT, DESERT])
        )
        for partner in PARTNERS
        if partner != "cowboy"
    }
    assert len({text.split("saloon")[1] for text in texts.values()}) == len(texts)
    for name, sign in PARTNERS.items():
        assert all(f"{sign} {name.replace('_', ' ')}" in text for text in texts.values())
    assert all(len(line) <= 88 for text in texts.values() for line in text.splitlines())
