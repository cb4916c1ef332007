import { element, entry } from "../../../language/values/element.js";
import type { NamedColumn } from "../query.js";

/** An expression from the texts of its parameters. */
export type Template = (...parameters: string[]) => string;

/** A scalar expression as a graph: what is used twice is one object. */
export type ScalarExpression =
  /** A number. */
  | { readonly kind: "number"; readonly text: string }
  /** A column of the relations that the expression is computed from. */
  | { readonly kind: "column"; readonly text: string }
  | {
      readonly kind: "call";
      readonly template: Template;
      readonly parameters: readonly ScalarExpression[];
      /** Greater than those of its parameters. */
      readonly order: number;
      readonly depth: number;
    };

export type ScalarCall = Extract<ScalarExpression, { kind: "call" }>;

export const numeral = (text: string): ScalarExpression => ({ kind: "number", text });
export const column = (text: string): ScalarExpression => ({ kind: "column", text });

const orderOf = (each: ScalarExpression): number => (each.kind === "call" ? each.order : 0);
const depthOf = (each: ScalarExpression): number => (each.kind === "call" ? each.depth : 0);

export function call(template: Template, ...parameters: readonly ScalarExpression[]): ScalarExpression {
  const order = 1 + Math.max(0, ...parameters.map(orderOf));
  const depth = 1 + Math.max(0, ...parameters.map(depthOf));
  return { kind: "call", template, parameters, order, depth };
}

/** Expressions are no deeper than this: parsers of engines recurse along them. */
const deepest = 40;

/** An expression that takes more than one query: each stage adds columns that the next ones use. */
export interface StagedExpression {
  /** Columns of the relations, to be selected first under names of their own; none where there are no stages. */
  readonly columns: readonly NamedColumn[];
  readonly stages: readonly (readonly NamedColumn[])[];
  /** The value; where there are stages, a column `x` is written `s.x`. */
  readonly text: string;
}

/**
 * The text of an expression. What is used more than once, by others or within a template, is computed in a stage before them,
 * so that a text grows no faster than its graph.
 */
export function stagedExpression(root: ScalarExpression, fresh: (name: string) => string): StagedExpression {
  const calls = callsIn(root);
  const isStored = isStoredIn(root, calls);
  if (![...isStored.values()].includes(true)) return { columns: [], stages: [], text: textOf(root, calls) };
  return stagesOf(root, calls, isStored, fresh);
}

/** Which calls of an expression are computed before the others: those that are used more than once, and those too far within. */
export function isStoredIn(
  root: ScalarExpression,
  calls: readonly ScalarCall[],
): ReadonlyMap<ScalarCall, boolean> {
  const uses = usesIn(root, calls);
  const isStored = new Map<ScalarCall, boolean>();
  const height = new Map<ScalarCall, number>();
  for (const each of calls) {
    const inner = each.parameters.map((parameter) =>
      parameter.kind !== "call" || isStored.get(parameter) === true ? 0 : entry(height, parameter),
    );
    const levels = 1 + Math.max(0, ...inner);
    height.set(each, levels);
    isStored.set(each, each !== root && (entry(uses, each) > 1 || levels >= deepest));
  }
  return isStored;
}

/** An expression with something else in the place of one of its calls. */
export function replaced(
  root: ScalarExpression,
  calls: readonly ScalarCall[],
  target: ScalarCall,
  by: ScalarExpression,
): ScalarExpression {
  const copies = new Map<ScalarExpression, ScalarExpression>([[target, by]]);
  const copy = (each: ScalarExpression): ScalarExpression => copies.get(each) ?? each;
  for (const each of calls)
    if (!copies.has(each) && each.parameters.some((parameter) => copies.has(parameter)))
      copies.set(each, call(each.template, ...each.parameters.map(copy)));
  return copy(root);
}

/** An expression with something else in the place of a column. */
export function substituted(root: ScalarExpression, text: string, by: ScalarExpression): ScalarExpression {
  const copies = new Map<ScalarExpression, ScalarExpression>();
  const copy = (each: ScalarExpression): ScalarExpression =>
    each.kind === "column" && each.text === text ? by : (copies.get(each) ?? each);
  for (const each of callsIn(root))
    if (each.parameters.some((parameter) => copy(parameter) !== parameter))
      copies.set(each, call(each.template, ...each.parameters.map(copy)));
  return copy(root);
}

/** All calls, parameters first. */
export function callsIn(root: ScalarExpression): readonly ScalarCall[] {
  const calls = new Set<ScalarCall>(root.kind === "call" ? [root] : []);
  // Iterating over a set includes what is added meanwhile.
  for (const each of calls)
    for (const parameter of each.parameters) if (parameter.kind === "call") calls.add(parameter);
  return [...calls].sort((a, b) => a.order - b.order);
}

function usesIn(root: ScalarExpression, calls: readonly ScalarCall[]): ReadonlyMap<ScalarCall, number> {
  const uses = new Map<ScalarCall, number>(root.kind === "call" ? [[root, 1]] : []);
  for (const { template, parameters } of calls)
    for (const [at, parameter] of parameters.entries())
      if (parameter.kind === "call")
        uses.set(parameter, (uses.get(parameter) ?? 0) + element(repeatsOf(template, parameters.length), at));
  return uses;
}

const repeats = new WeakMap<Template, readonly number[]>();

/** How often a template has each of its parameters. */
export function repeatsOf(template: Template, count: number): readonly number[] {
  const cached = repeats.get(template);
  if (cached !== undefined) return cached;
  const marks = Array.from({ length: count }, (_, at) => `<parameter ${at}>`);
  const text = template(...marks);
  const found = marks.map((mark) => text.split(mark).length - 1);
  repeats.set(template, found);
  return found;
}

/** The text of an expression whose calls are each used once, with its columns as they are written there. */
export function textOf(
  root: ScalarExpression,
  calls: readonly ScalarCall[],
  columnText: (text: string) => string = (text) => text,
): string {
  const texts = new Map<ScalarExpression, string>();
  const text = (each: ScalarExpression): string => {
    if (each.kind === "call") return entry(texts, each);
    return each.kind === "column" ? columnText(each.text) : each.text;
  };
  for (const each of calls) texts.set(each, each.template(...each.parameters.map(text)));
  return text(root);
}

function stagesOf(
  root: ScalarExpression,
  calls: readonly ScalarCall[],
  isStored: ReadonlyMap<ScalarCall, boolean>,
  fresh: (name: string) => string,
): StagedExpression {
  const columns = new Map<string, string>();
  const texts = new Map<ScalarCall, string>();
  /** The first stage after which the columns that a text uses are there. */
  const readyAfter = new Map<ScalarCall, number>();
  const stages: NamedColumn[][] = [];
  const text = (each: ScalarExpression): string => {
    if (each.kind === "number") return each.text;
    if (each.kind === "call") return entry(texts, each);
    const name = columns.get(each.text) ?? fresh("x");
    columns.set(each.text, name);
    return `s.${name}`;
  };
  for (const each of calls) {
    const written = each.template(...each.parameters.map(text));
    const after = Math.max(
      0,
      ...each.parameters.map((parameter) => (parameter.kind === "call" ? entry(readyAfter, parameter) : 0)),
    );
    if (isStored.get(each) !== true) {
      texts.set(each, written);
      readyAfter.set(each, after);
      continue;
    }
    const name = fresh("t");
    while (stages.length <= after) stages.push([]);
    element(stages, after).push([written, name]);
    texts.set(each, `s.${name}`);
    readyAfter.set(each, after + 1);
  }
  const result = text(root);
  return {
    columns: Array.from(columns, ([column, name]): NamedColumn => [column, name]),
    stages,
    text: result,
  };
}
