/** Goldgräber: what is clicked, and how it is told. */

import {
  type Components, type Decision, type Event, GoldgraeberChipKind, type GoldgraeberChip, type GoldgraeberDecision,
  GoldgraeberFight, GoldgraeberPhase, type GoldgraeberPosition, type GoldgraeberRobberBelief, GoldgraeberGround, type Cell,
  type Position,
} from "@saloon/client/v1";
import { whyNot } from "../rules";
import { list, percent, plural, points, say, t } from "../words";
import { type Cast, type Game, type Hooks, type Told, cellName } from "./game";

const LOCOMOTIVE = 1;

function of(decision: Decision | undefined): GoldgraeberDecision["decision"] {
  return decision?.game.case === "goldgraeber" ? decision.game.value.decision : { case: undefined };
}

function at(position: Position | undefined): GoldgraeberPosition | undefined {
  return position?.game.case === "goldgraeber" ? position.game.value : undefined;
}

function mapOf(components: Components | undefined) {
  return components?.game.case === "goldgraeber" ? components.game.value : undefined;
}

function destination(decision: Decision | undefined): Cell | undefined {
  const d = of(decision);
  return d.case === "walk" || d.case === "ferry" || d.case === "retreat" ? d.value.field : undefined;
}

function same(a: Cell | undefined, b: Cell | undefined): boolean {
  return a !== undefined && b !== undefined && a.row === b.row && a.column === b.column;
}

function chipWords(chip: GoldgraeberChip): string {
  return chip.kind === GoldgraeberChipKind.GOLD ? t("ggGold", chip.value) : t("ggRobberOf", chip.value);
}

function sumOf(chips: GoldgraeberChip[]): string {
  const gold = chips.filter((c) => c.kind === GoldgraeberChipKind.GOLD).reduce((sum, c) => sum + c.value, 0);
  const robbers = chips.filter((c) => c.kind === GoldgraeberChipKind.ROBBER).length;
  return list([...(gold ? [t("ggGold", gold)] : []), ...(robbers ? [plural(robbers, "robber")] : [])]);
}

/** The chips that are not among the others. */
function more(chips: GoldgraeberChip[] = [], others: GoldgraeberChip[] = []): GoldgraeberChip[] {
  const left = new Map<string, number>();
  for (const c of others) left.set(`${c.kind} ${c.value}`, (left.get(`${c.kind} ${c.value}`) ?? 0) + 1);
  return chips.filter((c) => {
    const n = left.get(`${c.kind} ${c.value}`) ?? 0;
    left.set(`${c.kind} ${c.value}`, n - 1);
    return n <= 0;
  });
}

/** How strong a robber is to be expected, if it is one. */
function middle(robbers: GoldgraeberRobberBelief[]): number {
  const all = robbers.reduce((sum, { chance }) => sum + chance, 0);
  return all ? robbers.reduce((sum, { chance, strength }) => sum + chance * strength, 0) / all : 0;
}

function hooks(decision: Decision): Hooks {
  const field = destination(decision);
  return { picks: field ? [`[data-field="${cellName(field)}"]`] : [] };
}

/** What is on a field, and what it means to whoever walks there; walking away from a fight one stirs nothing. */
function meaning(field: Cell, here: GoldgraeberPosition, cast: Cast, components: Components | undefined, arrives: boolean): string {
  const walker = here.turn?.walker ?? here.turn?.seat ?? 0;
  const ground = mapOf(components)?.fields.find((f) => same(f.field, field))?.kind;
  if (ground === GoldgraeberGround.HOUSE) {
    const carried = sumOf(here.open[walker]?.chips ?? []);
    return carried ? t("ggHomeWith", carried) : t("ggHome");
  }
  if (ground === GoldgraeberGround.SHORE) return t("ggRaft");
  if (ground === GoldgraeberGround.CITY) return t("ggStreet");
  const others = here.diggers.flatMap((place, seat) => (seat !== walker && same(place, field) ? [seat] : []));
  const first = others[0];
  if (first !== undefined && arrives) return t("ggFightSeat", cast.name(first), sumOf(here.open[first]?.chips ?? []) || t("nothing"));
  const robber = here.robbers.find((r) => same(r.field, field));
  if (robber) return t("ggFightRobber", robber.strength, sumOf(robber.loot) || t("nothing"));
  const chip = here.chips.find((c) => same(c.field, field));
  if (chip?.chip) return t("ggKnown", chipWords(chip.chip));
  if (chip) return arrives ? t("ggChip") : t("ggChipStays");
  return t("ggLand");
}

function choice(decision: Decision, position: Position | undefined, cast: Cast, components: Components | undefined): string {
  const d = of(decision);
  const here = at(position);
  const field = destination(decision);
  switch (d.case) {
    case "roll":
      return t("ggRoll");
    case "prospect":
      return t("ggProspect");
    case "ferry":
      return t("ggFerry", cellName(field));
    case "walk":
    case "retreat": {
      const words = t(d.case === "walk" ? "ggWalk" : "ggRetreat", cellName(field));
      return here && field ? `${words}: ${meaning(field, here, cast, components, d.case === "walk")}` : words;
    }
    default:
      return decision.text;
  }
}

function brief(event: Event, cast: Cast): Told[] {
  if (event.event.case === "chosen") {
    const { seat = 0, decision } = event.event.value;
    return decision ? [{ seat, text: choice(decision, undefined, cast, undefined) }] : [];
  }
  if (event.event.case !== "chance" || event.event.value.game.case !== "goldgraeber") return [];
  const drawn = event.event.value.game.value.event;
  switch (drawn.case) {
    case "first":
      return [{ seat: drawn.value, text: t("ggBegins", cast.name(drawn.value)) }];
    case "die":
      return [{ text: drawn.value === LOCOMOTIVE ? t("ggDieLocomotive") : t("ggDie", drawn.value) }];
    case "roll":
      return [{ text: t("ggFightDie", drawn.value) }];
    case "chip":
      return [{ text: t("ggSeen", cellName(drawn.value.field), drawn.value.chip ? chipWords(drawn.value.chip) : "?") }];
    default:
      return [];
  }
}

function outcome(number: number, against: number): string {
  return number > against ? t("ggWins") : number === against ? t("ggAgain") : t("ggLoses");
}

function rolled(event: Event, before: GoldgraeberPosition, after: GoldgraeberPosition, cast: Cast, components: Components | undefined): Told[] {
  if (event.event.case !== "chance" || event.event.value.game.case !== "goldgraeber") return [];
  const drawn = event.event.value.game.value.event;
  const seat = before.turn?.seat ?? 0;
  if (drawn.case === "first") return [{ seat: drawn.value, text: t("ggBegins", cast.name(drawn.value)) }];
  if (drawn.case === "die") {
    if (drawn.value === LOCOMOTIVE) {
      const rail = mapOf(components)?.rail ?? [];
      const left = rail.length - 1 - rail.findIndex((field) => same(field, after.locomotive));
      return [{ seat, text: t("ggRollsLocomotive", cellName(after.locomotive), left) }];
    }
    const stays = same(after.diggers[seat], before.diggers[seat]) && after.turn?.seat !== seat;
    return [{ seat, text: t("ggRolls", drawn.value) + (stays ? t("ggNowhere") : "") }];
  }
  if (drawn.case !== "roll") return [];
  const turn = before.turn;
  switch (turn?.fight) {
    case GoldgraeberFight.ROBBER: {
      const strength = before.robbers.find((r) => same(r.field, before.diggers[seat]))?.strength ?? 0;
      return [{ seat, text: t("ggAgainstRobber", drawn.value, strength) + outcome(drawn.value, strength) }];
    }
    case GoldgraeberFight.ATTACK:
      return [{ seat, text: t("ggAttacks", cast.name(turn.defender ?? 0), drawn.value) }];
    case GoldgraeberFight.DEFENCE:
      return [{ seat: turn.defender ?? 0, text: t("ggDefends", drawn.value, turn.attack ?? 0) + outcome(drawn.value, turn.attack ?? 0) }];
    default:
      return [{ seat: turn?.walker ?? seat, text: t("ggRollsAway", drawn.value) }];
  }
}

/** A roll and all that follows from it: what differs between the positions before and after. */
function story(event: Event, was: Position, is: Position, cast: Cast, components: Components | undefined): Told[] {
  const [before, after] = [at(was), at(is)];
  if (!before || !after) return brief(event, cast);
  const chosen = event.event.case === "chosen" ? event.event.value : undefined;
  const told: Told[] = chosen?.decision
    ? [{ seat: chosen.seat ?? 0, text: choice(chosen.decision, was, cast, components) }]
    : rolled(event, before, after, cast, components);
  const seat = before.turn?.seat ?? 0;
  const die = event.event.case === "chance" && event.event.value.game.case === "goldgraeber"
    ? event.event.value.game.value.event : undefined;
  after.diggers.forEach((place, who) => {
    if (same(place, before.diggers[who]) || same(place, destination(chosen?.decision))) return;
    const pushed = die?.case === "die" && die.value === LOCOMOTIVE;
    told.push({ seat: who, text: t(pushed ? "ggPushed" : "ggOnlyWay", cellName(place)) });
  });
  after.diggers.forEach((_, who) => {
    const fields = after.chips.filter((chip) => chip.looked.includes(who)
      && !before.chips.find((old) => same(old.field, chip.field))?.looked.includes(who));
    if (!fields.length) return;
    const known = fields.filter((chip) => chip.chip);
    told.push({
      seat: who,
      text: known.length ? t("ggYouSee", known.map((c) => `${cellName(c.field)}: ${c.chip ? chipWords(c.chip) : ""}`).join(", "))
        : t("ggLooks", fields.map((c) => cellName(c.field)).join(", ")),
    });
  });
  for (const chip of before.chips) {
    if (after.chips.some((c) => same(c.field, chip.field))) continue;
    const robber = after.robbers.find((r) => same(r.field, chip.field));
    told.push({
      seat,
      text: robber ? t("ggTurnsUp", t("ggRobberOf", robber.strength), cellName(chip.field))
        : t("ggTurnsUp", sumOf(more(after.open[seat]?.chips, before.open[seat]?.chips)) || t("ggAChip"), cellName(chip.field)),
    });
  }
  for (const robber of before.robbers) {
    if (after.robbers.some((r) => same(r.field, robber.field))) continue;
    const loot = sumOf(robber.loot);
    told.push({ seat, text: loot ? t("ggCapturesWith", loot) : t("ggCaptures") });
  }
  const under = after.robbers.find((r) =>
    r.loot.length > (before.robbers.find((old) => same(old.field, r.field))?.loot.length ?? 0));
  const winner = after.diggers.findIndex((_, who) => more(after.open[who]?.chips, before.open[who]?.chips).length > 0);
  after.diggers.forEach((_, who) => {
    const brought = more(after.banked[who]?.chips, before.banked[who]?.chips);
    const lost = sumOf(more(more(before.open[who]?.chips, after.open[who]?.chips), brought));
    if (lost && under) told.push({ seat: who, text: t("ggLost", lost, cellName(under.field)) });
    else if (lost && winner >= 0) told.push({ seat: winner, text: t("ggTakes", lost, cast.name(who)) });
    if (brought.length) told.push({ seat: who, text: t("ggBringsHome", sumOf(brought)) });
  });
  if (is !== was && after.phase === GoldgraeberPhase.OVER && before.phase !== GoldgraeberPhase.OVER) {
    const rail = mapOf(components)?.rail ?? [];
    told.push({ text: same(after.locomotive, rail[rail.length - 1]) ? t("ggArrived") : t("ggFewChips", after.chips.length) });
  }
  return told;
}

export const goldgraeber: Game = {
  hooks,
  traces: (decision, seat) => {
    const field = destination(decision);
    return field ? [`[data-field="${cellName(field)}"]`] : [`[data-digger="${seat}"]`];
  },
  moving: ["digger", "locomotive"],
  round: 0.5,
  choice,
  group: () => "",
  atOnce: (decision) => of(decision).case === "roll",
  story,
  brief,
  due: (status, position) => t(`ggDue_${status.phase}` as never, at(position)?.turn?.steps ?? 0),
  advice: (status) => t(`ggHelp_${status.phase}` as never),
  whyNot: (element, status, position) =>
    element.closest("[data-field]") ? whyNot("goldgraeber", status.phase, at(position)?.turn?.steps ?? 0) : "",
  parts: (score) => score.breakdown.case === "goldgraeber"
    ? [[say("Gold"), score.breakdown.value.gold], [say("Robbers"), score.breakdown.value.robbers]] : [],
  beliefs: (beliefs) => beliefs.game.case === "goldgraeber"
    ? beliefs.game.value.left.map((kind): [string, number] => [
        `${kind.kind === GoldgraeberChipKind.GOLD ? t("ggGold", kind.value) : t("ggRobberOf", kind.value)} (${kind.left})`,
        kind.chance,
      ]) : [],
  guesses: (beliefs) => beliefs.game.case === "goldgraeber"
    ? beliefs.game.value.chips.filter(({ known }) => !known).map(({ field, gold, value, robbers }) => ({
        selector: `[data-down="${cellName(field)}"]`,
        text: t("ggMayBe", percent(gold), points(gold ? value / gold : 0), percent(1 - gold), points(middle(robbers))),
        good: gold,
      })) : [],
  colour: (seat, position) => at(position)?.options?.colours[seat] ?? seat,
  secrets: (position) => at(position)?.options?.prospecting ?? false,
};
