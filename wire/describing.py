"""Games as messages: what they are called, which options they have, what they are played with."""

from saloon_client.v1 import game_pb2
from saloon_client.v1 import rules_pb2 as pb

from engine_cy.rules import GameRules, OptionField
from wire.plain import fill

_KINDS = {
    "integer": pb.OPTION_KIND_INTEGER,
    "boolean": pb.OPTION_KIND_BOOLEAN,
    "choice": pb.OPTION_KIND_CHOICE,
    "choice_per_seat": pb.OPTION_KIND_CHOICE_PER_SEAT,
    "integer_per_seat": pb.OPTION_KIND_INTEGER_PER_SEAT,
}


def game_message(name: str, game: type[GameRules]) -> pb.GameInfo:
    """Its options and components, for forms and boards."""
    about = game.about()
    standard = game.from_options({"players": game.min_players})
    components = game_pb2.Components()
    fill(getattr(components, name), about.components)
    return pb.GameInfo(
        name=name,
        title=about.title,
        description=about.description,
        min_players=game.min_players,
        max_players=game.max_players,
        options=[_option(field) for field in about.options],
        component_set=game_pb2.ComponentSet(name=standard.component_name, hash=standard.component_hash),
        components=components,
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
