import { textIn } from "../../../language/source/span.js";
import type { Chain, Expression, Link } from "../../../language/syntax/tree.js";
import type { Profile } from "../../package/model/model.js";

/** A part of a score that is a sum: `2 * bm25(title)`, or with its sign `- age(t)`. */
export interface ScoreTerm {
  readonly name: string;
  readonly expression: Expression;
}

/** The key of a term by its position; no expression can mean it. */
export const termKey = (at: number): string => `term ${at}`;

/** How many functions deep a sum is looked for. */
const mostFunctions = 20;

/**
 * What the scores of a profile are the sum of, before the global phase: the summands of its last phase, or of the function
 * that this is nothing but. A score that is no sum has one term.
 */
export function scoreTerms({ phases, functions }: Pick<Profile, "phases" | "functions">): ScoreTerm[] {
  let tree = (phases["second-phase"] ?? phases["first-phase"])?.expression?.tree;
  for (let depth = 0; tree?.kind === "reference" && depth < mostFunctions; depth++) {
    const own = (tree.arguments?.length ?? 0) === 0 ? functions.get(tree.name.text) : undefined;
    if (own?.expression.tree === undefined || own.parameters.length > 0 || tree.outputs.length > 0) break;
    tree = own.expression.tree;
  }
  if (tree === undefined) return [];
  return tree.kind === "chain" && isSum(tree)
    ? summands(tree)
    : [{ name: squeezed(textIn(tree.span)), expression: tree }];
}

const sumSigns: readonly string[] = ["+", "-"];
const productSigns: readonly string[] = ["*", "/", "%", "^", "**"];

/** Whether sums are what a chain of operators comes to in the end. */
const isSum = ({ rest }: Chain): boolean =>
  rest.every((link) => link.kind === "operation" && [...sumSigns, ...productSigns].includes(link.symbol)) &&
  rest.some(isSummand);

const isSummand = (link: Link): boolean => link.kind === "operation" && sumSigns.includes(link.symbol);

function summands(chain: Chain): ScoreTerm[] {
  const starts = chain.rest.flatMap((link, at) => (isSummand(link) ? [at] : []));
  const { source } = chain.span;
  const first = starts[0] ?? chain.rest.length;
  const head = chain.rest.slice(0, first);
  const terms = [{ first: chain.first, rest: head, sign: "" }];
  for (const [position, at] of starts.entries()) {
    const link = chain.rest[at];
    if (link?.kind !== "operation") continue;
    const rest = chain.rest.slice(at + 1, starts[position + 1] ?? chain.rest.length);
    terms.push({ first: link.operand, rest, sign: link.symbol });
  }
  return terms.map(({ first, rest, sign }) => {
    const end = rest.at(-1)?.span.end ?? first.span.end;
    const span = { source, start: first.span.start, end: Math.max(end, first.span.end) };
    const product: Expression = rest.length === 0 ? first : { kind: "chain", span, first, rest };
    const name = squeezed(textIn(span));
    if (sign !== "-") return { name, expression: product };
    const zero: Expression = { kind: "number", span, value: 0, text: "0" };
    const minus: Link = { kind: "operation", symbol: "-", span, operand: first };
    return { name: `- ${name}`, expression: { kind: "chain", span, first: zero, rest: [minus, ...rest] } };
  });
}

const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();
