import type { Choice } from "../hunt/choice.js";

/**
 * A grammar that texts are derived from. An alternative is text with rules in it: `<value>` is one value, `<value*,>` some
 * of them with commas between. The first alternative of a rule is the one that ends it: deep down only that is taken.
 */
export type Rules = Readonly<Record<string, readonly string[]>>;

type Part = string | { readonly rule: string; readonly between?: string };

/** How deep rules may go in each other before all take their first alternative. */
const deepest = 12;

/** How many parts a text may have before all rules take their first alternative: lists in lists make more than there is memory for. */
const mostParts = 10_000;

export class Grammar {
  private readonly parts = new Map<string, readonly Part[]>();

  constructor(private readonly rules: Rules) {
    for (const rule of Object.keys(rules)) this.requireEnd(rule, []);
  }

  /** First alternatives that lead to themselves would never end a text. */
  private requireEnd(rule: string, above: readonly string[]): void {
    if (above.includes(rule)) throw new Error(`the first alternative of ${rule} leads to itself`);
    const [first = ""] = this.rules[rule] ?? [];
    for (const part of this.partsOf(first))
      if (typeof part !== "string" && part.between === undefined)
        this.requireEnd(part.rule, [...above, rule]);
  }

  /** A text that a rule derives. */
  derive(rule: string, choice: Choice): string {
    const found: string[] = [];
    const open: { readonly part: Part; readonly depth: number }[] = [{ part: { rule }, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { part, depth } = next;
      if (typeof part === "string") {
        found.push(part);
        continue;
      }
      const { between } = part;
      const isFull = depth >= deepest || found.length + open.length > mostParts;
      const count = between === undefined ? 1 : isFull ? choice.below(2) : choice.below(5);
      const inner: Part[] = [];
      for (let at = 0; at < count; at++) {
        if (at > 0 && between) inner.push(between);
        for (const each of this.alternative(part.rule, isFull, choice)) inner.push(each);
      }
      for (const each of inner.reverse()) open.push({ part: each, depth: depth + 1 });
    }
    return found.join("");
  }

  private alternative(rule: string, isFull: boolean, choice: Choice): readonly Part[] {
    const all = this.rules[rule];
    const [first] = all ?? [];
    if (all === undefined || first === undefined) throw new Error(`there is no rule ${rule}`);
    return this.partsOf(isFull ? first : choice.oneOf(all));
  }

  private partsOf(alternative: string): readonly Part[] {
    const cached = this.parts.get(alternative);
    if (cached !== undefined) return cached;
    const parts: Part[] = [];
    let end = 0;
    for (const found of alternative.matchAll(/<([a-z]\w*)(\*([^>]*))?>/g)) {
      const { 0: whole, 1: rule = "", 2: many, 3: between = "", index } = found;
      if (!Object.hasOwn(this.rules, rule)) continue;
      parts.push(alternative.slice(end, index), many === undefined ? { rule } : { rule, between });
      end = index + whole.length;
    }
    parts.push(alternative.slice(end));
    this.parts.set(alternative, parts);
    return parts;
  }
}
