import fc from "fast-check";
import { uniform } from "../../src/program/random.js";
import type { Ebnf, Shape, Token } from "./ebnf.js";

/** How the text of a derivation is written, and what stands around what some of its rules derive. */
export interface Spelling {
  readonly spell: (tokens: readonly Token[], random: Random, start: string) => string;
  readonly around?: Readonly<Record<string, { readonly before?: Token; readonly after: Token }>>;
}

/** Sentences of a grammar, as chance makes them. Past a depth only the shortest ways out are taken. */
export class Sentences {
  /** How many levels of rules the shortest derivation of each rule needs. */
  private readonly levels = new Map<string, number>();
  private readonly taken = new Set<Shape>();

  constructor(
    private readonly ebnf: Ebnf,
    private readonly spelling: Spelling = ofPrograms,
  ) {
    for (let left = ebnf.rules.size; left > 0; left--) {
      for (const [name, shape] of ebnf.rules) this.levels.set(name, this.levelsOf(shape));
    }
  }

  /** Sentences derived from a rule, as cases of a law. A smaller seed makes no smaller sentence: they do not shrink. */
  from(start: string, more?: number): fc.Arbitrary<string> {
    const seeds = fc.noShrink(fc.noBias(fc.integer()));
    return seeds.map((seed) => this.next(start, new Random(uniform(seed)), more));
  }

  /** A sentence of at least three levels of choices, and fewer than so many more. */
  next(start: string, random: Random, more = 12): string {
    const tokens = [...this.derive({ kind: "rule", name: start }, 3 + random.below(more), random)];
    return this.spelling.spell(tokens, random, start);
  }

  /** The rules, and the parts of choices, that no sentence has used so far. */
  unused(): string[] {
    const inRule = ([name, shape]: readonly [string, Shape]): string[] =>
      partsOf(shape).flatMap((part, at) => (this.taken.has(part) ? [] : [`${name}, part ${at}`]));
    return [...this.ebnf.rules].flatMap(inRule);
  }

  private levelsOf(shape: Shape): number {
    if (shape.kind === "rule") return 1 + (this.levels.get(shape.name) ?? Number.POSITIVE_INFINITY);
    if (shape.kind === "sequence") return Math.max(...shape.parts.map((part) => this.levelsOf(part)));
    if (shape.kind === "choice") return Math.min(...shape.parts.map((part) => this.levelsOf(part)));
    return shape.kind === "+" ? this.levelsOf(shape.of) : 0;
  }

  private *derive(shape: Shape, depth: number, random: Random): Generator<Token> {
    this.taken.add(shape);
    switch (shape.kind) {
      case "class":
      case "fixed":
        yield shape;
        return;
      case "rule": {
        const { before, after } = this.spelling.around?.[shape.name] ?? {};
        if (before !== undefined) yield before;
        yield* this.derive(this.ruleOf(shape.name), depth - 1, random);
        if (after !== undefined) yield after;
        return;
      }
      case "sequence":
        for (const part of shape.parts) yield* this.derive(part, depth, random);
        return;
      case "choice": {
        const parts = depth > 0 ? shape.parts : this.shortest(shape.parts);
        yield* this.derive(random.of(parts), depth, random);
        return;
      }
      default: {
        const extra = depth > 0 ? random.of([0, 0, 1, 1, 2, 3]) : 0;
        const count = shape.kind === "?" ? Math.min(extra, 1) : shape.kind === "+" ? extra + 1 : extra;
        for (let at = 0; at < count; at++) yield* this.derive(shape.of, depth, random);
      }
    }
  }

  private ruleOf(name: string): Shape {
    const shape = this.ebnf.rules.get(name);
    if (shape === undefined) throw new Error(`the grammar has no rule ${name}`);
    return shape;
  }

  private shortest(parts: readonly Shape[]): readonly Shape[] {
    const fewest = Math.min(...parts.map((part) => this.levelsOf(part)));
    return parts.filter((part) => this.levelsOf(part) === fewest);
  }
}

/** A shape and the parts of its choices, at any depth. */
function partsOf(shape: Shape): Shape[] {
  const inner = "parts" in shape ? shape.parts : "of" in shape ? [shape.of] : [];
  const own = shape.kind === "choice" ? shape.parts : [];
  return [...own, ...inner.flatMap(partsOf)];
}

// biome-ignore format: a table
const samples: Readonly<Record<string, readonly string[]>> = {
  name:   ["a", "b", "x", "sum", "x1", "_t", "@q", "1a", "a$b", "float", "true"],
  number: ["0", "1", "1.", "2.5", "1e3", "2.e-7", "0.5f", "08"],
  string: ['"foo"', "'b c'", '""', `"it's"`, String.raw`"\"\\\n\u00e5\x41"`, '"# no comment"', "'two\nlines'"],
  word:   ["1", "-2.5", "NaN", "a", "x", "tensor", "1e9", "#", "//", "b(c)", "a{b", "x\"y", "å🐝", "3f80"],
  quoted: ['"a"', "'b c'", '""', String.raw`'it\'s'`, '"{]"'],
  END:    [";", "\n", "; ;\n", "  # over\n", "\n\n"],
};

/** A name is now and then one of the words that the language uses itself, wherever that can mean nothing but a name. */
const keywords = [
  "in",
  "f",
  "tensor",
  "range",
  "diag",
  "random",
  "switch",
  "case",
  "default",
  "if",
  "sum",
  "input",
  "constant",
];

/** Behind these words a bracket, or `<`, would begin something other than a call. */
const calledOtherwise = new Set(["tensor", "range", "diag", "random", "switch"]);

const ofPrograms: Spelling = {
  spell: (tokens, random, start) =>
    spelt(tokens, random, start === "TensorText" ? "nowhere" : start === "Program" ? "inside" : "everywhere"),
};

/** The text of a derivation, with white space, line breaks and comments between the tokens. */
function spelt(
  tokens: readonly Token[],
  random: Random,
  breaks: "nowhere" | "inside" | "everywhere",
): string {
  let [text, depth] = ["", 0];
  for (const [at, token] of tokens.entries()) {
    const word =
      token.kind === "fixed" ? token.name : sampleOf(token.name, tokens[at + 1]?.name ?? "", random);
    if ("([{".includes(word)) depth++;
    if (")]}".includes(word)) depth--;
    const mayBreak = breaks === "everywhere" || (breaks === "inside" && depth > 0);
    text +=
      word +
      (token.name === "END"
        ? ""
        : random.of(mayBreak ? [" ", " ", "\t", "\r\n", "  # why\n", " // how\n"] : [" ", "  ", "\t"]));
  }
  return text;
}

function sampleOf(name: string, next: string, random: Random): string {
  if (name === "name" && random.below(4) === 0) {
    const keyword = random.of(keywords);
    if (!(calledOtherwise.has(keyword) && (next === "(" || next === "<"))) return keyword;
  }
  const choices = samples[name];
  if (choices === undefined) throw new Error(`there is no sample of ${name}`);
  return random.of(choices);
}

/** Choices, by numbers from 0 up to 1. */
export class Random {
  constructor(private readonly chance: () => number) {}

  below(limit: number): number {
    return Math.floor(this.chance() * limit);
  }

  of<T>(all: readonly T[]): T {
    const chosen = all[this.below(all.length)];
    if (chosen === undefined) throw new Error("there is nothing to choose from");
    return chosen;
  }
}
