/**
 * EBNF as data. The grammar file and what Chevrotain recorded of the parser are both brought into this form and printed
 * back, so that a difference between them reads as two lines of grammar.
 */
export type Shape =
  | Leaf
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Shape[] }
  | { readonly kind: "?" | "*" | "+"; readonly of: Shape };

export type Leaf = Token | { readonly kind: "rule"; readonly name: string };

/** A token class, or a token with a text of its own. */
export interface Token {
  readonly kind: "class" | "fixed";
  readonly name: string;
}

export type Times = "?" | "*" | "+";

export interface Ebnf {
  /** The right side of each rule. */
  readonly rules: ReadonlyMap<string, Shape>;
  /** The pattern of each token class, as it stands between the slashes. */
  readonly classes: ReadonlyMap<string, string>;
}

/** Parts one after the other; sequences in a sequence mean nothing of their own. */
export function sequence(parts: readonly Shape[]): Shape {
  const flat = parts.flatMap((part) => (part.kind === "sequence" ? part.parts : [part]));
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { kind: "sequence", parts: flat };
}

export function choice(parts: readonly Shape[]): Shape {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "choice", parts };
}

export const times = (kind: Times, of: Shape): Shape => ({ kind, of });

/** `X ( sep X )*` */
export const separated = (separator: Shape, item: Shape): Shape =>
  sequence([item, times("*", sequence([separator, item]))]);

/** The rules and tokens that a shape names. */
export function leavesOf(shape: Shape): readonly Leaf[] {
  if ("parts" in shape) return shape.parts.flatMap(leavesOf);
  return "of" in shape ? leavesOf(shape.of) : [shape];
}

/** A rule as a line of EBNF. */
export const showRule = (name: string, shape: Shape | undefined): string =>
  `${name} ::= ${shape === undefined ? "(there is no such rule)" : show(shape)}`;

function show(shape: Shape): string {
  switch (shape.kind) {
    case "class":
    case "rule":
      return shape.name;
    case "fixed":
      return `"${shape.name}"`;
    case "sequence":
      return shape.parts.map((part) => (part.kind === "choice" ? `( ${show(part)} )` : show(part))).join(" ");
    case "choice":
      return shape.parts
        .map((part) => (part.kind === "choice" ? `( ${show(part)} )` : show(part)))
        .join(" | ");
    default: {
      const isAtom = shape.of.kind === "class" || shape.of.kind === "rule" || shape.of.kind === "fixed";
      return (isAtom ? show(shape.of) : `( ${show(shape.of)} )`) + shape.kind;
    }
  }
}

const words = /"[^"]*"|\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+\/|::=|[A-Za-z]\w*|[()|?*+]|\S/g;

/** Reads W3C-style EBNF. Throws at the first word that it cannot place. */
export function readEbnf(text: string): Ebnf {
  const reader = new Reader(text.replace(/\/\*[\s\S]*?\*\//g, " ").match(words) ?? []);
  const rules = new Map<string, Shape>();
  const classes = new Map<string, string>();
  while (!reader.isAtEnd) {
    const name = reader.take(/^[A-Za-z]\w*$/);
    reader.take(/^::=$/);
    if (rules.has(name) || classes.has(name)) throw new Error(`the rule ${name} stands in the grammar twice`);
    if (reader.sees(/^\/./)) classes.set(name, reader.take(/^\/./).slice(1, -1));
    else rules.set(name, reader.choices());
  }
  return { rules, classes };
}

class Reader {
  private at = 0;

  constructor(private readonly words: readonly string[]) {}

  get isAtEnd(): boolean {
    return this.at >= this.words.length;
  }

  sees(pattern: RegExp, ahead = 0): boolean {
    return pattern.test(this.words[this.at + ahead] ?? "");
  }

  take(pattern: RegExp): string {
    const word = this.words[this.at];
    if (word === undefined || !pattern.test(word)) {
      throw new Error(
        `the grammar has ${word ?? "its end"} where ${pattern} belongs, after: ${this.words.slice(this.at - 8, this.at).join(" ")}`,
      );
    }
    this.at++;
    return word;
  }

  choices(): Shape {
    const parts = [this.items()];
    while (this.sees(/^\|$/)) {
      this.take(/^\|$/);
      parts.push(this.items());
    }
    return choice(parts);
  }

  /** Items up to a `|`, a `)`, or the head of the next rule. */
  private items(): Shape {
    const parts: Shape[] = [];
    while (!this.isAtEnd && !this.sees(/^[|)]$/) && !this.sees(/^::=$/, 1)) parts.push(this.item());
    if (parts.length === 0)
      throw new Error(`an alternative is empty before ${this.words[this.at] ?? "the end"}`);
    return sequence(parts);
  }

  private item(): Shape {
    let shape = this.atom();
    while (this.sees(/^[?*+]$/)) shape = times(this.take(/^[?*+]$/) as Times, shape); // one of the three
    return shape;
  }

  private atom(): Shape {
    if (this.sees(/^\($/)) {
      this.take(/^\($/);
      const inner = this.choices();
      this.take(/^\)$/);
      return inner;
    }
    const word = this.take(/^(?:".*"|[A-Za-z]\w*)$/);
    if (word.startsWith('"')) return { kind: "fixed", name: word.slice(1, -1) };
    return { kind: /^[A-Z]/.test(word) && word !== "END" ? "rule" : "class", name: word };
  }
}
