import type { ResultView } from "../document/page-document.js";
import type { Requester } from "../panel.js";
import type { PageAddress, TableWindow, ValueReference, ValueReport } from "../protocol.js";

/** What a table is of, as the page passes it to the element. */
export interface TableSource {
  readonly reference: ValueReference;
  readonly value: ValueReport;
  readonly view: ResultView;
  readonly request: Requester;
  readonly lit: ReadonlySet<string> | undefined;
  readonly why: (address: PageAddress) => void;
  readonly setView: (view: ResultView) => void;
}

/** Whether a part of a table is all of it. */
export const isWhole = ({ rowLabels, columnLabels, rowCount, columnCount }: TableWindow): boolean =>
  rowLabels.length === rowCount && columnLabels.length === columnCount;

/** A label as it is shown: without characters that are hidden, or that hide others. */
export const shownLabel = ({ escaped }: TableWindow, label: string): string => escaped.get(label) ?? label;

/** The address of the cell in a row and a column of a part. */
export function addressIn(
  { view, rowLabels, columnLabels }: TableWindow,
  row: number,
  column: number,
): PageAddress {
  const labelled = (names: readonly string[], labels: readonly string[] = []): [string, string][] =>
    names.map((name, at) => [name, labels[at] ?? ""]);
  return Object.fromEntries([
    ...labelled(view.rows, rowLabels[row]),
    ...labelled(view.columns, columnLabels[column]),
    ...Object.entries(view.slices),
  ]);
}
