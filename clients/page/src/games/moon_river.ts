/** Moon River: what is clicked, and how it is told. */

import {
  type Beliefs, type Chance, type Components, type Decision, type MoonRiverDecision, type MoonRiverPlot, type MoonRiverPosition,
  MoonRiverLandscape, MoonRiverPartner, MoonRiverScenario, type MoonRiverSlot, type Position,
} from "@saloon/client/v1";
import { whyNot } from "../rules";
import { list, percent, plural, say, t } from "../words";
import { type Cast, type Game, type Guess, type Hooks, type Told, cellName, panelOf } from "./game";

function of(decision: Decision): MoonRiverDecision["decision"] {
  return decision.game.case === "moonRiver" ? decision.game.value.decision : { case: undefined };
}

function at(position: Position | undefined): MoonRiverPosition | undefined {
  return position?.game.case === "moonRiver" ? position.game.value : undefined;
}

function plotsOf(components: Components | undefined): MoonRiverPlot[] {
  return components?.game.case === "moonRiver" ? components.game.value.plots : [];
}

/** The name of an enum's value as the pictures have it: `CATTLE_THIEF` is `cattle_thief`. */
function named(names: Record<number, string>, value: number): string {
  return (names[value] ?? "").toLowerCase();
}

function spoken(names: Record<number, string>, value: number): string {
  return say(named(names, value).replaceAll("_", " "));
}

function plotName(kind: number, components: Components | undefined): string {
  const plot = plotsOf(components)[kind];
  if (!plot) return `${kind}`;
  const counts: [string, number][] = [
    ["nugget", plot.nuggets], ["beaver", plot.beavers], ["cob", plot.cobs], ["cow", plot.cows],
  ];
  const words = counts.filter(([, n]) => n).map(([name, n]) => (n === 1 ? say(name) : `${n} ${say(`${name}s`)}`));
  if (plot.skull) words.push(say("skull"));
  if (plot.circle) words.push(say("circle"));
  return [spoken(MoonRiverLandscape, plot.landscape), ...words].join(" + ");
}

function stored(seat: number, kind: number): string {
  return `${panelOf(seat)} [data-stored="${kind}"]`;
}

function free(seat: number, cell: Parameters<typeof cellName>[0]): string {
  return `${panelOf(seat)} [data-free="${cellName(cell)}"]`;
}

function built(seat: number, cell: Parameters<typeof cellName>[0]): string {
  return `${panelOf(seat)} [data-cell="${cellName(cell)}"]`;
}

function slot(column: string, position: number): string {
  return `[data-column="${column}"][data-position="${position + 1}"]`;
}

function hooks(decision: Decision, seat: number): Hooks {
  const d = of(decision);
  switch (d.case) {
    case "claim":
      return { picks: [slot("current", d.value.position)] };
    case "select":
      return { picks: [slot("next", d.value.position)] };
    case "build": {
      const { plot, cell, otherPlot, otherCell } = d.value;
      const [p, q, a, b] = [stored(seat, plot), stored(seat, otherPlot), free(seat, cell), free(seat, otherCell)];
      return { picks: [p, q, a, b], pairs: [[p, a], [q, b]], places: [a, b] };
    }
    case "discard":
      return { picks: [stored(seat, d.value.plot), stored(seat, d.value.otherPlot)] };
    case "drought":
      return { picks: [built(seat, d.value.cell)] };
    case "recruit":
      return {
        picks: [`[data-token="${named(MoonRiverPartner, d.value.partner)}"]`, built(seat, d.value.cell)],
        places: [built(seat, d.value.cell)],
      };
    case "herd":
      return { picks: [built(seat, d.value.origin), built(seat, d.value.target)] };
    case "swap":
      return { picks: [stored(seat, d.value.plot), stored(d.value.seat, d.value.otherPlot)] };
    case "steal":
      return { picks: [built(d.value.seat, d.value.cell)] };
    case "bonusTile":
      return { picks: [`[data-bonus="${d.value.tile}"]`] };
    case "bonusPlace":
      return { picks: [free(seat, d.value.cell)] };
    default:
      return { picks: [] };
  }
}

function traces(decision: Decision, seat: number): string[] {
  const d = of(decision);
  switch (d.case) {
    case "build":
      return [built(seat, d.value.cell), built(seat, d.value.otherCell)];
    case "bonusPlace":
    case "recruit":
      return [built(seat, d.value.cell)];
    case "herd":
      return [built(seat, d.value.target)];
    case "swap":
      return [stored(seat, d.value.otherPlot)];
    case "discard":
      return [panelOf(seat)];
    default:
      return hooks(decision, seat).picks;
  }
}

function choice(decision: Decision, position: Position | undefined, cast: Cast, components: Components | undefined): string {
  const d = of(decision);
  const here = at(position);
  const lies = (column: MoonRiverSlot[] | undefined, place: number) => {
    const kind = column?.[place]?.plot;
    return kind === undefined ? "" : `: ${plotName(kind, components)}`;
  };
  switch (d.case) {
    case "claim":
      return t("mrClaim", d.value.position + 1) + lies(here?.current, d.value.position);
    case "select":
      return t("mrSelect", d.value.position + 1) + lies(here?.next, d.value.position);
    case "build":
      return t("mrBuild", plotName(d.value.plot, components), cellName(d.value.cell),
        plotName(d.value.otherPlot, components), cellName(d.value.otherCell));
    case "stop":
      return t("mrStop");
    case "discard":
      return t("mrDiscard", plotName(d.value.plot, components), plotName(d.value.otherPlot, components));
    case "drought":
      return t("mrDrought", cellName(d.value.cell));
    case "recruit": {
      const who = spoken(MoonRiverPartner, d.value.partner);
      return d.value.side === 2
        ? t("mrRecruitCowboy", who, cellName(d.value.cell))
        : t("mrRecruit", who, cellName(d.value.cell));
    }
    case "herd":
      return t("mrHerd", cellName(d.value.origin), cellName(d.value.target));
    case "done":
      return t("mrDone");
    case "swap":
      return t("mrSwap", plotName(d.value.plot, components), plotName(d.value.otherPlot, components), cast.name(d.value.seat));
    case "steal":
      return t("mrSteal", cast.name(d.value.seat), cellName(d.value.cell));
    case "decline":
      return t("mrDecline");
    case "bonusTile":
      return t("mrBonusTile", d.value.tile + 1);
    case "bonusPlace": {
      const side = components?.game.case === "moonRiver" && here?.turn?.tile !== undefined
        ? components.game.value.bonusTiles[here.turn.tile]?.sides[d.value.side] : undefined;
      return t("mrBonusPlace", side === undefined ? d.value.side + 1 : spoken(MoonRiverLandscape, side), cellName(d.value.cell));
    }
    default:
      return decision.text;
  }
}

function group(decision: Decision): string {
  const d = of(decision);
  if (d.case !== "build") return "";
  return [d.value.plot, d.value.otherPlot].sort((a, b) => a - b).join(",");
}

function turned(decision: Decision, all: Decision[]): Decision[] {
  const d = of(decision);
  if (d.case !== "build") return [];
  const { plot, otherPlot, cell, otherCell } = d.value;
  const pair = group(decision);
  const covered = new Set([cellName(cell), cellName(otherCell)]);
  // Around the plot that stays where it is, and the other way round.
  const found = all.filter((other) => {
    const o = of(other);
    if (o.case !== "build" || group(other) !== pair) return false;
    const cells = [cellName(o.value.cell), cellName(o.value.otherCell)];
    if (cells.every((name) => covered.has(name))) return true;
    const stays = [[o.value.plot, cells[0]], [o.value.otherPlot, cells[1]]];
    return stays.some(([kind, name]) =>
      (kind === plot && name === cellName(cell)) || (kind === otherPlot && name === cellName(otherCell)));
  });
  const angle = (other: Decision) => {
    const o = of(other);
    if (o.case !== "build" || !o.value.cell || !o.value.otherCell) return 0;
    const swap = o.value.plot === plot ? 0 : 1;
    const x = o.value.cell.column + o.value.otherCell.column;
    const y = o.value.cell.row + o.value.otherCell.row;
    return swap * 1e4 + y * 100 + x;
  };
  return found.sort((a, b) => angle(a) - angle(b));
}

function drawn(chance: Chance, cast: Cast, components: Components | undefined): Told[] {
  if (chance.game.case !== "moonRiver") return [];
  const event = chance.game.value.event;
  switch (event.case) {
    case "scenario":
      return [{ text: t("mrScenario", spoken(MoonRiverScenario, event.value)) }];
    case "saloon":
      return [{ text: t("mrSaloon", list(event.value.partners.map((p) => spoken(MoonRiverPartner, p))) || t("nobody")) }];
    case "column":
      return [{ text: t("mrColumn", event.value.plots.map((kind) => plotName(kind, components)).join(", ")) }];
    case "ranchero":
      return [{ seat: event.value, text: t("mrRanchero", cast.name(event.value)) }];
    default:
      return [];
  }
}

function brief(event: Parameters<Game["brief"]>[0], cast: Cast, components: Components | undefined): Told[] {
  if (event.event.case === "chance") return drawn(event.event.value, cast, components);
  if (event.event.case !== "chosen" || !event.event.value.decision) return [];
  const seat = event.event.value.seat ?? 0;
  return [{ seat, text: choice(event.event.value.decision, undefined, cast, components) }];
}

/** The decision, then what came by itself: cows and partners, and what there was no choice about. */
function story(event: Parameters<Game["story"]>[0], before: Position, after: Position, cast: Cast, components: Components | undefined): Told[] {
  const told = event.event.case === "chosen" && event.event.value.decision
    ? [{ seat: event.event.value.seat ?? 0, text: choice(event.event.value.decision, before, cast, components) }]
    : brief(event, cast, components);
  const [a, b] = [at(before), at(after)];
  if (!a || !b) return told;
  const decision = event.event.case === "chosen" && event.event.value.decision ? of(event.event.value.decision) : { case: undefined };
  b.ranches.forEach((ranch, seat) => {
    const had = new Map(a.ranches[seat]?.plots.map((p) => [cellName(p.cell), p]));
    const news: string[] = [];
    let cows = 0;
    let laid = 0;
    for (const p of ranch.plots) {
      const name = cellName(p.cell);
      const old = had.get(name);
      cows += p.cows - (old?.cows ?? 0);
      if (!old) laid += 1;
      const chosen = decision.case === "recruit" && cellName(decision.value.cell) === name;
      if (p.partner && p.partner !== old?.partner && !chosen) {
        news.push(t("mrForcedPartner", spoken(MoonRiverPartner, p.partner), name));
      }
    }
    if (laid && decision.case !== "build" && decision.case !== "bonusPlace") news.push(t("mrForcedBuild"));
    if (cows > 0 && decision.case !== "steal") news.push(t("mrCowsCome", plural(cows, "cow")));
    if (cows < 0 && a.phase !== b.phase) news.push(t("mrCowsGo", plural(-cows, "cow")));
    told.push(...news.map((text) => ({ seat, text })));
  });
  b.next.forEach((place, i) => {
    const chosen = (decision.case === "select") && decision.value.position === i;
    if (place.seat !== undefined && a.next[i]?.seat === undefined && !chosen) {
      told.push({ seat: place.seat, text: t("mrForcedSelect", i + 1) });
    }
  });
  if (b.lastRound && !a.lastRound) told.push({ text: t("mrLastRound") });
  return told;
}

/** What is most likely to come, and how likely; with how many are left. */
function comingPlots(beliefs: Beliefs, components: Components | undefined): [string, number][] {
  const plots = beliefs.game.case === "moonRiver" ? beliefs.game.value.plots : [];
  return likeliest(plots.map((p) => [`${plotName(p.plot, components)} (${p.left})`, p.nextColumn]));
}

function comingPartners(beliefs: Beliefs): [string, number][] {
  const partners = beliefs.game.case === "moonRiver" ? beliefs.game.value.partners : [];
  return likeliest(partners.map((p) => [`${spoken(MoonRiverPartner, p.partner)} (${p.left})`, p.nextSaloon]));
}

function likeliest(all: [string, number][]): [string, number][] {
  return all.filter(([, chance]) => chance > 0).sort((x, y) => y[1] - x[1]).slice(0, 6);
}

/** Where the picture says how many are left; nothing if none of them can come now. */
function guess(pile: string, words: "mrMayBePlots" | "mrMayBeTokens", all: [string, number][]): Guess[] {
  if (!all.length) return [];
  return [{ selector: `[data-supply="${pile}"]`, text: t(words, all.map(([what, chance]) => `${what} ${percent(chance)}`).join(", ")) }];
}

export const moonRiver: Game = {
  hooks,
  traces,
  moving: [],
  round: 0.14,
  choice,
  group,
  turned,
  atOnce: () => false,
  story,
  brief,
  due: (status, position) => {
    const steps = at(position)?.turn?.steps ?? 0;
    return status.phase === "herd" ? t("mrDueHerd", steps) : t(`mrDue_${status.phase}` as never);
  },
  advice: (status) => t(`mrHelp_${status.phase}` as never),
  whyNot: (element, status) => (element.closest(`${panelOf(status.seat ?? 0)} [data-free]`) ? whyNot("moon_river", status.phase) : ""),
  parts: (score) => {
    if (score.breakdown.case !== "moonRiver") return [];
    const { territories, resources, partners, scenario } = score.breakdown.value;
    return [[say("Territories"), territories], [say("Resources"), resources], [say("Partners"), partners], [say("Scenario"), scenario]];
  },
  beliefs: (beliefs, components) => [...comingPlots(beliefs, components), ...comingPartners(beliefs)],
  guesses: (beliefs, components) => [
    ...guess("plots", "mrMayBePlots", comingPlots(beliefs, components)),
    ...guess("tokens", "mrMayBeTokens", comingPartners(beliefs)),
  ],
  colour: (seat) => seat,
  secrets: () => false,
};

