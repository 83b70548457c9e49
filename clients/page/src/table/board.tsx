/** The server's picture of a table, taken apart so that it fits any screen, with what can be chosen lit up on it. */

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Guess } from "../games/game";
import { say, t } from "../words";
import { sayTitle } from "../words/titles";
import { shortened } from "./names";

/** Something on the board that can be clicked. */
export interface Target {
  selector: string;
  label: string;
  picked?: boolean;
}

/** A number drawn on the board. */
export interface Mark {
  selector: string;
  label: string;
}

export interface BoardProps {
  svg: string;
  game: string;
  name(seat: number): string;
  /** The seat whose things come first where there is little room. */
  first: number | undefined;
  targets: Target[];
  marks: Mark[];
  guesses?: Guess[];
  /** What is spoken of beside the board. */
  rings?: string[];
  traces: string[];
  moving: string[];
  round: number;
  onPick(selector: string): void;
  /** Something was clicked that cannot be chosen; what it is, in words. */
  onMiss?(element: Element, what: string): void;
}

const SVG = "http://www.w3.org/2000/svg";
const LONGEST_NAME = 16;

export function Board(props: BoardProps) {
  const root = useRef<HTMLDivElement>(null);
  const drawn = useRef("");

  useLayoutEffect(() => {
    const board = root.current;
    if (!board) return;
    if (drawn.current !== props.svg) {
      const before = drawn.current ? places(board, props.moving) : new Map<string, DOMRect>();
      draw(board, props);
      drawn.current = props.svg;
      glide(board, props.moving, before);
      flash(board, props);
    }
  }, [props.svg]);

  useLayoutEffect(() => {
    const board = root.current;
    if (board) light(board, props);
  }, [props.svg, props.targets, props.marks, props.guesses, props.rings, props.first]);

  useEffect(() => {
    if (root.current) bringIntoView(root.current);
  }, [props.svg, props.targets.length > 0]);

  useEffect(() => {
    const board = root.current;
    if (!board) return undefined;
    const again = new ResizeObserver(() => light(board, latest.current));
    again.observe(board);
    return () => again.disconnect();
  }, []);

  const latest = useRef(props);
  latest.current = props;
  const pick = (event: Event) => {
    const hit = (event.target as Element).closest<SVGElement>(".hit");
    if (hit?.dataset.pick) props.onPick(hit.dataset.pick);
    return hit !== null;
  };
  const drag = useDragging(root, (selector) => props.onPick(selector));
  return (
    <div
      ref={root}
      class={`board ${props.game}`}
      role="group"
      aria-label={t("board")}
      onClick={(event) => {
        if (drag.moved() || pick(event)) return;
        const element = event.target as Element;
        const named = element.closest(":has(> title)");
        props.onMiss?.(element, named?.querySelector(":scope > title")?.textContent ?? "");
      }}
      onPointerDown={drag.down}
      onKeyDown={(event) => {
        if ((event.key === "Enter" || event.key === " ") && pick(event)) event.preventDefault();
      }}
    />
  );
}

// ---- Drawing

/** Every part becomes a picture of its own; those that were there stay where they are, so that nothing jumps. */
function draw(board: HTMLElement, { svg, name, first }: BoardProps): void {
  const whole = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (whole.namespaceURI !== SVG) return;
  const parts = [...whole.querySelectorAll("[data-part]")];
  board.dataset.seats = String(parts.filter((part) => part.getAttribute("data-part") === "seat").length);
  const old = new Map([...board.querySelectorAll<HTMLElement>(".part")].map((part) => [part.dataset.key, part]));
  defs(board, whole);
  for (const part of parts) {
    const key = `${part.getAttribute("data-part")}${part.getAttribute("data-seat") ?? ""}`;
    const holder = old.get(key) ?? board.appendChild(document.createElement("div"));
    old.delete(key);
    const picture = frame(part);
    if (holder.dataset.key === key) holder.replaceChildren(picture);
    else {
      holder.dataset.key = key;
      holder.className = `part part-${part.getAttribute("data-part")}`;
      holder.append(picture);
    }
    const seat = part.getAttribute("data-seat");
    const [width = 1, height = 1] = (part.getAttribute("data-size") ?? "").split(" ").map(Number);
    holder.classList.toggle("wide", width > 2 * height);
    holder.classList.toggle("own", seat !== null && Number(seat) === first);
    const label = seat === null ? t(`part_${part.getAttribute("data-part")}` as never) : name(Number(seat));
    picture.setAttribute("role", "group");
    picture.setAttribute("aria-label", label);
    speak(picture, name);
  }
  for (const gone of old.values()) gone.remove();
}

function frame(part: Element): SVGSVGElement {
  const [width, height] = (part.getAttribute("data-size") ?? "100 100").split(" ").map(Number);
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `-3 -3 ${(width ?? 0) + 6} ${(height ?? 0) + 9}`);
  picture.setAttribute("font-family", "system-ui, sans-serif");
  const copy = document.importNode(part, true);
  copy.removeAttribute("transform");
  picture.append(copy);
  return picture;
}

/** What the parts use by name. */
function defs(board: HTMLElement, whole: Element): void {
  const found = [...whole.querySelectorAll("defs")].map((each) => document.importNode(each, true));
  let holder = board.querySelector<SVGSVGElement>(":scope > .defs");
  if (!holder) {
    holder = document.createElementNS(SVG, "svg");
    holder.setAttribute("class", "defs");
    holder.setAttribute("aria-hidden", "true");
    board.prepend(holder);
  }
  holder.replaceChildren(...found);
}

/** Names in place of numbers, and words in the language of whoever looks. */
function speak(picture: Element, name: (seat: number) => string): void {
  for (const text of picture.querySelectorAll("text, title")) {
    const words = text.textContent ?? "";
    const short = (seat: string) => (text.nodeName === "text" ? shortened(name(Number(seat)), LONGEST_NAME) : name(Number(seat)));
    const spoken = (text.nodeName === "title" ? sayTitle(words) : say(words)).replace(/\b[Ss](?:eat|itz) (\d)\b/g, (_, seat: string) => short(seat));
    if (spoken !== words) text.textContent = spoken;
  }
}

// ---- What moves

function places(board: HTMLElement, moving: string[]): Map<string, DOMRect> {
  const found = new Map<string, DOMRect>();
  for (const kind of moving) {
    for (const piece of board.querySelectorAll(`[data-${kind}]`)) found.set(identity(piece, kind), piece.getBoundingClientRect());
  }
  return found;
}

/** There is one locomotive, wherever it is; diggers are told apart by their seats. */
function identity(piece: Element, kind: string): string {
  const value = piece.getAttribute(`data-${kind}`) ?? "";
  return /^\d+$/.test(value) ? `${kind} ${value}` : kind;
}

function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function glide(board: HTMLElement, moving: string[], before: Map<string, DOMRect>): void {
  if (calm()) return;
  for (const kind of moving) {
    for (const piece of board.querySelectorAll<SVGGraphicsElement>(`[data-${kind}]`)) {
      const from = before.get(identity(piece, kind));
      const to = piece.getBoundingClientRect();
      const matrix = piece.getScreenCTM();
      if (!from || !matrix) continue;
      const [dx, dy] = [(from.x - to.x) / matrix.a, (from.y - to.y) / matrix.d];
      if (Math.hypot(dx, dy) < 1) continue;
      for (const child of piece.children) {
        child.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 450, easing: "ease-in-out" });
      }
    }
  }
}

function flash(board: HTMLElement, { traces, round }: BoardProps): void {
  for (const selector of traces) {
    for (const element of board.querySelectorAll<SVGGraphicsElement>(selector)) overlay(element, "trace", round);
  }
}

// ---- What lights up

/** A shape over an element, in the picture that it is in. */
function overlay(element: SVGGraphicsElement, kind: string, round: number): SVGGElement | undefined {
  const picture = element.closest<SVGSVGElement>(".part > svg");
  const [outer, inner] = [picture?.getScreenCTM(), element.getScreenCTM()];
  if (!picture || !outer || !inner) return undefined;
  const box = element.getBBox();
  const matrix = outer.inverse().multiply(inner);
  const [x, y, w, h] = [matrix.a * box.x + matrix.e, matrix.d * box.y + matrix.f, matrix.a * box.width, matrix.d * box.height];
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", kind);
  const shape = document.createElementNS(SVG, "rect");
  const corner = String(Math.min(w, h) * round);
  for (const [key, value] of Object.entries({ x, y, width: w, height: h, rx: corner })) shape.setAttribute(key, String(value));
  group.append(shape);
  picture.append(group);
  return group;
}

function light(board: HTMLElement, { targets, marks, guesses = [], rings = [], round }: BoardProps): void {
  const focused = (document.activeElement as SVGElement | null)?.dataset?.pick;
  for (const old of board.querySelectorAll(".hit, .mark, .ring, .guess")) old.remove();
  for (const one of guesses) {
    for (const element of board.querySelectorAll<SVGGraphicsElement>(one.selector)) guess(element, one);
  }
  for (const ring of rings) {
    for (const element of board.querySelectorAll<SVGGraphicsElement>(ring)) overlay(element, "ring", 0.14);
  }
  for (const target of targets) {
    for (const element of board.querySelectorAll<SVGGraphicsElement>(target.selector)) {
      const hit = overlay(element, target.picked ? "hit picked" : "hit", round);
      if (!hit) continue;
      hit.dataset.pick = target.selector;
      hit.setAttribute("role", "button");
      hit.setAttribute("tabindex", "0");
      hit.setAttribute("aria-label", target.label);
      if (target.picked) hit.setAttribute("aria-pressed", "true");
      const title = document.createElementNS(SVG, "title");
      title.textContent = target.label;
      hit.append(title);
      if (target.selector === focused) hit.focus();
    }
  }
  for (const mark of marks) {
    for (const element of board.querySelectorAll<SVGGraphicsElement>(mark.selector)) number(element, mark.label);
  }
}

/** A bar under what is hidden, as long as it is likely to be good, and all of it in words for whoever points there. */
function guess(element: SVGGraphicsElement, { text, good }: Guess): void {
  const group = overlay(element, "guess", 0);
  const box = group?.querySelector("rect");
  if (!group || !box) return;
  const title = document.createElementNS(SVG, "title");
  title.textContent = [element.querySelector(":scope > title")?.textContent, text].filter(Boolean).join("; ");
  group.append(title);
  if (good === undefined) return;
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name))) as [number, number, number, number];
  for (const [kind, long] of [["all", width], ["part", width * good]] as const) {
    const bar = document.createElementNS(SVG, "rect");
    for (const [key, value] of Object.entries({ class: kind, x, y: y + height - 5, width: long, height: 7 })) bar.setAttribute(key, String(value));
    group.append(bar);
  }
}

/** Numbers of several marks on one element stand side by side. */
function number(element: SVGGraphicsElement, label: string): void {
  const group = overlay(element, "mark", 0.2);
  const box = group?.querySelector("rect");
  if (!group || !box) return;
  const size = 26;
  const others = [...(group.parentNode?.querySelectorAll(".mark") ?? [])].filter(
    (other) => other !== group && other.getAttribute("data-at") === `${box.getAttribute("x")} ${box.getAttribute("y")}`,
  ).length;
  group.setAttribute("data-at", `${box.getAttribute("x")} ${box.getAttribute("y")}`);
  const x = Number(box.getAttribute("x")) + size / 2 + 2 + others * (size + 2);
  const y = Number(box.getAttribute("y")) + size / 2 + 2;
  const disc = document.createElementNS(SVG, "circle");
  for (const [key, value] of Object.entries({ cx: x, cy: y, r: size / 2 })) disc.setAttribute(key, String(value));
  const text = document.createElementNS(SVG, "text");
  for (const [key, value] of Object.entries({ x, y: y + 6, "text-anchor": "middle", "font-size": 17, "font-weight": 800 })) {
    text.setAttribute(key, String(value));
  }
  text.textContent = label;
  box.remove();
  group.append(disc, text);
}

/** Where a part is wider than the screen, what can be chosen is not left beside it. */
function bringIntoView(board: HTMLElement): void {
  for (const part of board.querySelectorAll<HTMLElement>(".part")) {
    if (part.scrollWidth <= part.clientWidth) continue;
    const hits = [...part.querySelectorAll(".hit")].map((hit) => hit.getBoundingClientRect());
    if (!hits.length) continue;
    const middle = (Math.min(...hits.map((box) => box.left)) + Math.max(...hits.map((box) => box.right))) / 2;
    const own = part.getBoundingClientRect();
    part.scrollTo({ left: part.scrollLeft + middle - (own.left + own.right) / 2, behavior: calm() ? "auto" : "smooth" });
  }
}

// ---- Dragging: what is taken up, then where it is put down

function useDragging(root: { current: HTMLDivElement | null }, pick: (selector: string) => void) {
  const moved = useRef(false);
  const down = (event: PointerEvent) => {
    moved.current = false;
    const hit = (event.target as Element).closest<SVGElement>(".hit");
    const from = hit?.dataset.pick;
    const board = root.current;
    if (!hit || !from || !board || event.button !== 0 || event.pointerType === "touch") return;
    const [x, y] = [event.clientX, event.clientY];
    let ghost: HTMLElement | undefined;
    const move = (at: PointerEvent) => {
      if (!ghost && Math.hypot(at.clientX - x, at.clientY - y) < 8) return;
      if (!ghost) {
        moved.current = true;
        ghost = lift(board, from);
        if (hit.getAttribute("aria-pressed") !== "true") pick(from);
      }
      ghost.style.transform = `translate(${at.clientX}px, ${at.clientY}px)`;
    };
    const up = (at: PointerEvent) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      if (!ghost) return;
      ghost.remove();
      const target = document.elementFromPoint(at.clientX, at.clientY)?.closest<SVGElement>(".hit")?.dataset.pick;
      if (target && target !== from && at.type === "pointerup") pick(target);
      setTimeout(() => {
        moved.current = false;
      });
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  };
  return { down, moved: () => moved.current };
}

/** A copy of what is dragged, under the pointer. */
function lift(board: HTMLElement, selector: string): HTMLElement {
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  const element = board.querySelector<SVGGraphicsElement>(selector);
  if (element) {
    const [box, place] = [element.getBBox(), element.getBoundingClientRect()];
    const picture = document.createElementNS(SVG, "svg");
    picture.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    picture.setAttribute("width", String(place.width));
    picture.setAttribute("height", String(place.height));
    const copy = element.cloneNode(true) as Element;
    copy.removeAttribute("transform");
    picture.append(copy);
    ghost.append(picture);
  }
  board.append(ghost);
  return ghost;
}
