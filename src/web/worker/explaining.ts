import {
  type ExplainedNode,
  escapeHidden,
  type PlannedValue,
  type Program,
  shortNumber,
} from "../../index.js";
import type { ExplainReport, PageNode } from "../protocol.js";
import type { CellRun } from "./cell-run.js";

/** The most expressions that are told. */
const mostNodes = 2000;

/** How the results of a cell come about, with what the engine stores of them. */
export function explainReports(run: CellRun | undefined): readonly ExplainReport[] {
  const program = run?.compiled;
  if (run === undefined || program === undefined) return [];
  const { nodes, results, time } = program.explain(run.inputValues);
  const storages = storagesOf(program, run);
  const shown = nodes.slice(0, mostNodes).map((node) => pageNode(node, storages));
  return results.map(({ name, node }, at) => ({
    name: name ?? (results.length > 1 ? `result ${at + 1}` : ""),
    nodes: ordered(shown, node),
    milliseconds: time,
  }));
}

/** The nodes with one of them first, whose positions are those of the new list. */
function ordered(nodes: readonly PageNode[], first: number): readonly PageNode[] {
  const positions = new Map<number, number>();
  const open = [first];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = nodes[next];
    if (node === undefined || positions.has(next)) continue;
    positions.set(next, positions.size);
    for (const operand of node.from.toReversed()) open.push(operand);
  }
  return [...positions.keys()].flatMap((position) => {
    const node = nodes[position];
    if (node === undefined) return [];
    return [{ ...node, from: node.from.flatMap((each) => positions.get(each) ?? []) }];
  });
}

/** How values are kept, by where their expressions stand and what their types are. */
function storagesOf(
  program: Program,
  { inputValues }: CellRun,
): ReadonlyMap<string, PlannedValue["storage"]> {
  const { values } = program.plan(inputValues);
  return new Map(values.map((value) => [keyOf(value), value.storage]));
}

const keyOf = ({ span, type, operation, within, text }: StoredExpression): string =>
  `${span.start} ${span.end} ${operation} ${type} ${within} ${text}`;

type StoredExpression = Pick<ExplainedNode, "span" | "type" | "operation" | "within" | "text">;

/** An expression, and before it the function that it is written in. */
export const expressionText = ({ text, within }: Pick<ExplainedNode, "text" | "within">): string =>
  escapeHidden(within === undefined ? text : `${within}: ${text}`);

function pageNode(node: ExplainedNode, storages: ReadonlyMap<string, PlannedValue["storage"]>): PageNode {
  const { description, type, span, value, time, from } = node;
  const [least, greatest] = [value?.minimum, value?.maximum];
  const isRange = least !== undefined && greatest !== undefined;
  const short = (number: number): string => shortNumber(number, type.cellType);
  return {
    description: escapeHidden(description),
    text: expressionText(node),
    type: escapeHidden(`${type}`),
    ...{ start: span.start, end: span.end },
    cells: value?.cells,
    range: !isRange ? "" : least === greatest ? short(least) : `${short(least)} … ${short(greatest)}`,
    milliseconds: time,
    storage: storages.get(keyOf(node)),
    from,
  };
}
