"""Games as messages: what they are called, which options they have, what they are played with."""

from collections.abc import Sequence

from saloon_client.v1 import game_pb2
from saloon_client.v1 import rules_pb2 as pb

from engine_cy.rules import ComponentSet, GameRules, OptionField
from wire.plain import fill

_KINDS = {
    "integer": pb.OPTION_KIND_INTEGER,
    "boolean": pb.OPTION_KIND_BOOLEAN,
    "choice": pb.OPTION_KIND_CHOICE,
    "choice_per_seat": pb.OPTION_KIND_CHOICE_PER_SEAT,
    "integer_per_seat": pb.OPTION_KIND_INTEGER_PER_SEAT,
}


def game_message(game: type[GameRules], sets: Sequence[ComponentSet] = ()) -> pb.GameInfo:
    """Its options and components, for forms and boards: those of the first set (the printed one, if none is given),
    then those of the others."""
    about = game.about()
    first, *others = (_own_set(game, known) for known in sets or [game.standard()])
    return pb.GameInfo(
        name=game.name,
        title=about.title,
        description=about.description,
        min_players=game.min_players,
        max_players=game.max_players,
        options=first.options,
        component_set=first.component_set,
        components=first.components,
        own_sets=others,
    )


def _own_set(game: type[GameRules], known: ComponentSet) -> pb.OwnSet:
    about = game.about(known)
    components = game_pb2.Components()
    fill(getattr(components, game.name), about.components)
    return pb.OwnSet(
        component_set=game_pb2.ComponentSet(name=known.name, hash=known.digest),
        components=components,
        options=[_option(field) for field in about.options],
    )


def _option(field: OptionField) -> pb.OptionField:
    return pb.OptionField(
        name=field.name,
        label=field.label,
        help=field.help,
        kind=_KINDS[field.kind],
        low=field.low,
        high=field.high,
        choices=field.choices,
        needs=field.needs,
    )
