import type { CellId } from "../document/page-document.js";
import type { ComparedValue } from "../protocol.js";
import { CellRun } from "./cell-run.js";
import type { Notebook } from "./notebook.js";

/** Cells with more than this are not computed a second time. */
const mostCells = 200_000;

/** What the other dialect makes of a cell, on the same inputs; nothing where it makes the same of it. */
export async function compared(
  notebook: Notebook,
  id: CellId,
  signal: AbortSignal,
): Promise<ComparedValue | undefined> {
  const run = notebook.run(id);
  const { cell, dialect } = run?.input ?? {};
  if (run === undefined || cell === undefined || run.values.length === 0) return undefined;
  if (run.values.some(({ tensor }) => tensor.data.length > mostCells)) return undefined;
  const other = new CellRun({ ...run.input, dialect: dialect === "vespa" ? "formalism" : "vespa" });
  await other.run({ signal, progress: () => undefined });
  if (isEqual(run, other)) return undefined;
  const { refusal } = other;
  return { dialect: other.input.dialect, isRefused: refusal !== undefined, text: refusal ?? other.summary };
}

function isEqual(one: CellRun, other: CellRun): boolean {
  return (
    one.values.length === other.values.length &&
    one.values.every(({ tensor }, at) => other.values[at]?.tensor.equals(tensor) === true)
  );
}
