import type { CheckedProgram } from "../language/check/statements/program.js";
import type { Node } from "../language/core/operations.js";
import { isSameGraph } from "../language/core/same-graph.js";
import type { Analysis } from "./analysis.js";

/** What a name of a program, or of its host, is called after a text was changed. */
export type NameAfter = (name: string) => string;

/**
 * Whether a text in which a name has become another one means what it did: it has the same names in the same order, also in functions
 * that nothing calls, the same errors, and the same core. At the cost of reading both.
 */
export function isSameMeaning(before: Analysis, after: Analysis, nameAfter: NameAfter): boolean {
  return (
    namesIn(before) === namesIn(after) &&
    errorsIn(before) === errorsIn(after) &&
    isSameCore(before.checked, after.checked, nameAfter)
  );
}

/** Which occurrences are of one name, in the order of the text. */
function namesIn({ symbols: { occurrences } }: Analysis): string {
  const numbers = new Map<object, number>();
  const numbered = [...occurrences]
    .sort((a, b) => a.span.start - b.span.start)
    .map(({ symbol }) => {
      const number = numbers.get(symbol) ?? numbers.size;
      numbers.set(symbol, number);
      return number;
    });
  return numbered.join();
}

const errorsIn = ({ problems }: Analysis): string =>
  problems.flatMap(({ code, isError }) => (isError ? code : [])).join();

function isSameCore(before: CheckedProgram, after: CheckedProgram, nameAfter: NameAfter): boolean {
  const [ofBefore, ofAfter] = [rootsOf(before, nameAfter), rootsOf(after, (name) => name)];
  const names = (roots: Roots): string => JSON.stringify(roots.map(({ name }) => name));
  if (names(ofBefore) !== names(ofAfter)) return false;
  const nodes = (roots: Roots): readonly Node[] => roots.map(({ node }) => node);
  return isSameGraph(nodes(ofBefore), nodes(ofAfter), nameAfter);
}

type Roots = readonly { readonly name: string; readonly node: Node }[];

/** All that a program computes, each with what it is computed for. */
function rootsOf(checked: CheckedProgram, nameAfter: NameAfter): Roots {
  const { declared, values, results, assignments, objective } = checked;
  const roots: { name: string; node: Node }[] = [];
  for (const [name, { role, value }] of declared)
    if (value !== undefined) roots.push({ name: `${role} ${nameAfter(name)}`, node: value });
  for (const [name, node] of values) roots.push({ name: `value ${nameAfter(name)}`, node });
  for (const { node } of results) roots.push({ name: "result", node });
  for (const [name, { node }] of assignments) roots.push({ name: `assignment ${nameAfter(name)}`, node });
  if (objective !== undefined) roots.push({ name: "objective", node: objective.node });
  return roots;
}
