"""Moon River oracle, part 2: scoring and ranking (section 8 of the rules)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from .moon_river_ranch import PRINTED_RIVER, Cell, Ranch, connected_groups

TIMBER_RAFTING = "timber_rafting"
GOLD_RUSH = "gold_rush"
OUTLAWS = "outlaws"
MOON_RIVER_CITY = "moon_river_city"
SCENARIOS = (TIMBER_RAFTING, GOLD_RUSH, OUTLAWS, MOON_RIVER_CITY)


def cows_that_stay(ranch: Ranch) -> set[Cell]:
    """MR-27: at most one cow stays on each plot, so the cells with a cow say it all."""
    return {cell for cell, count in ranch.cows.items() if count > 0}


def territory_points(ranch: Ranch) -> int:
    """MR-28: plots x cows, for each territory."""
    return sum(points_by_landscape(ranch).values())


def points_by_landscape(ranch: Ranch) -> Counter[str]:
    """Of territories."""
    cows, points = cows_that_stay(ranch), Counter[str]()
    for territory in ranch.territories():
        points[ranch.plots[min(territory)].landscape] += len(territory) * len(territory & cows)
    return points


def total_nuggets(ranch: Ranch) -> int:
    return sum(plot.nuggets for plot in ranch.plots.values())


def total_beavers(ranch: Ranch) -> int:
    return sum(plot.beavers for plot in ranch.plots.values())


def total_cobs(ranch: Ranch) -> int:
    return sum(plot.cobs for plot in ranch.plots.values())


def resource_points(ranch: Ranch) -> int:
    """MR-29: 1 per nugget, beaver and cob."""
    return total_nuggets(ranch) + total_beavers(ranch) + total_cobs(ranch)


def partner_points(ranch: Ranch) -> int:
    """MR-30: each Gold Digger, Trapper and Farmer counts its resource in the whole ranch."""
    worth = {
        "gold_digger": total_nuggets(ranch),
        "trapper": total_beavers(ranch),
        "farmer": total_cobs(ranch),
    }
    return sum(worth.get(partner, 0) for partner in ranch.partners.values())


def group_points(size: int) -> int:
    """MR-31: 10 points for the first three members, 10 more for each member beyond the third."""
    return 10 + 10 * (size - 3)


def scenario_points(ranch: Ranch, scenario: str | None, river: Set[Cell] = PRINTED_RIVER) -> int:
    """MR-31: the shared scenario of Legends; nothing in the base game."""
    if scenario == TIMBER_RAFTING:
        forests = {cell for cell, plot in ranch.plots.items() if plot.landscape == "forest"}
        rafts = [group for group in connected_groups(forests) if group & river]
        return sum(group_points(len(group)) for group in rafts if len(group) >= 3)
    if scenario == GOLD_RUSH:
        gold = {cell: plot.nuggets for cell, plot in ranch.plots.items() if plot.nuggets > 0}
        veins = [group for group in connected_groups(set(gold)) if len(group) >= 3]
        return sum(group_points(sum(gold[cell] for cell in group)) for group in veins)  # MR-31a
    if scenario == OUTLAWS:
        bandits = {c for c, partner in ranch.partners.items() if partner in ("desperado", "cattle_thief")}
        gangs = [group for group in connected_groups(set(ranch.partners)) if group & bandits]
        return sum(group_points(len(group)) for group in gangs if len(group) >= 3)
    if scenario == MOON_RIVER_CITY:
        farms = {cell for cell, plot in ranch.plots.items() if plot.landscape == "farm"}
        return sum(group_points(len(group)) for group in connected_groups(farms) if len(group) >= 3)
    return 0


def score(ranch: Ranch, seat: int, scenario: str | None, river: Set[Cell] = PRINTED_RIVER) -> dict[str, int]:
    """Section 8 for one player, as if the game ended now; the ranch is not changed."""
    territories = territory_points(ranch)
    resources = resource_points(ranch)
    partners = partner_points(ranch)
    for_scenario = scenario_points(ranch, scenario, river)
    return {
        "seat": seat,
        "territories": territories,
        "resources": resources,
        "partners": partners,
        "scenario": for_scenario,
        "total": territories + resources + partners + for_scenario,
        "largest_territory": max((len(territory) for territory in ranch.territories()), default=0),
        "cows": len(cows_that_stay(ranch)),
    }


def places(scores: list[dict[str, int]]) -> list[int]:
    """MR-32: points, then the largest territory, then cows; whoever is still equal shares the place."""
    keys = [(s["total"], s["largest_territory"], s["cows"]) for s in scores]
    return [1 + sum(1 for other in keys if other > key) for key in keys]
