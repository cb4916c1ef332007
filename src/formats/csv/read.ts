import type { Problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { type Dimension, mapped, TensorType } from "../../language/types/type.js";
import { mostCells } from "../../language/values/data/build.js";
import type { Tensor } from "../../language/values/tensor.js";
import { CellColumns, indexOf } from "../from-cells.js";
import { numberInText } from "../json/numbers.js";
import { isDimensionName } from "../literal.js";
import { type ExpectedInCsv, type FoundInCsv, problem } from "./messages.js";
import { Records } from "./records.js";

/**
 * Comma-separated values with a header: a column for each dimension, in any order, and one called `value`, the last of that
 * name. A line is a cell. Without a type all dimensions are mapped. The label without characters is two quotes: an empty field is none.
 */

/** A million wrong lines need no million problems. */
const mostProblems = 20;

/** @param limit How many cells it may have; as many as are written, and 50,000,000 with the zeros between, unless it is there. */
export function readCsv(source: Source, type?: TensorType, limit?: number): Parsed<Tensor> {
  const reading = new CsvReading(source);
  const { records, problems } = reading;
  const columns = problems.length === 0 ? columnsOf(type, reading) : undefined;
  if (columns === undefined) return { tree: undefined, problems };
  // No labels are no cells, and no indexes without a size; but each cell of a known number would be a 0 that is nowhere.
  if (records.count === 1 && columns.type.isDense && columns.type.isBound) {
    reading.report(reading.header, "no line", "line below");
    return { tree: undefined, problems };
  }
  const cells = new CellColumns(columns.type);
  for (let record = 1; record < records.count; record++) addCell(cells, record, columns, reading);
  if (problems.length > 0) return { tree: undefined, problems };
  const most = limit ?? Math.max(mostCells, cells.count);
  const tree = cells.tensor(most, {
    ofSize: (count) =>
      reading.report(reading.whole, { kind: "cells", count }, { kind: "most cells", count: most }),
    ofRepeat: (cell) => reading.report(records.span(cell + 1), "same address", "own address"),
  });
  return { tree: problems.length === 0 ? tree : undefined, problems };
}

class CsvReading {
  readonly problems: Problem[] = [];
  readonly whole: Span;
  /** The header, and a record for each cell. */
  readonly records: Records;

  constructor(source: Source) {
    this.whole = { source, start: 0, end: source.text.length };
    this.records = new Records(source, (span, found, expected) => this.report(span, found, expected));
  }

  /** From the first field of the header to its last one. */
  get header(): Span {
    return this.records.count === 0 ? this.whole : this.records.span(0);
  }

  /** Reports a field of a record. */
  reportAt(record: number, column: number, found: FoundInCsv, expected: ExpectedInCsv): void {
    if (this.problems.length < mostProblems)
      this.report(this.records.field(record, column).span, found, expected);
  }

  report(span: Span, found: FoundInCsv, expected: ExpectedInCsv): undefined {
    if (this.problems.length < mostProblems)
      this.problems.push(problem("csv/shape", span, { found, expected }));
  }
}

interface Columns {
  readonly type: TensorType;
  /** The column of each dimension, in canonical order, and the dimension. */
  readonly dimensions: readonly { readonly column: number; readonly dimension: Dimension }[];
  readonly value: number;
  readonly count: number;
}

/** What the header says; a type must have just its dimensions. */
function columnsOf(declared: TensorType | undefined, reading: CsvReading): Columns | undefined {
  const { records } = reading;
  const names = records.header();
  const value = names.lastIndexOf("value");
  const expected =
    declared === undefined ? "any header" : ({ kind: "header", names: declared.names } as const);
  if (value < 0) return reading.report(reading.header, { kind: "text", text: names.join(", ") }, expected);
  const first = new Map<string, number>();
  for (const [column, name] of names.entries()) {
    if (column === value) continue;
    const isDimension =
      declared === undefined ? isDimensionName(name) : declared.dimension(name) !== undefined;
    if (isDimension && !first.has(name)) first.set(name, column);
    else if (isDimension) reading.reportAt(0, column, { kind: "column", name }, "each dimension once");
    else {
      const expected =
        declared === undefined ? "dimension" : ({ kind: "column", names: declared.names } as const);
      reading.reportAt(0, column, { kind: "text", text: name }, expected);
    }
  }
  const missing = declared?.names.filter((name) => !first.has(name)) ?? [];
  if (missing.length > 0)
    reading.report(reading.header, { kind: "missing columns", names: missing }, expected);
  if (reading.problems.length > 0) return undefined;
  const type =
    declared ??
    TensorType.of(
      "double",
      Array.from(first.keys(), (name) => mapped(name)),
    );
  const dimensions = type.dimensions.map((dimension) => {
    const column = first.get(dimension.name);
    if (column === undefined) throw new Error(`there is no column ${dimension.name}`);
    return { column, dimension };
  });
  return { type, dimensions, value, count: names.length };
}

/** Adds the cell of a record, unless something is wrong with it: then nothing comes of all cells. */
function addCell(cells: CellColumns, record: number, columns: Columns, reading: CsvReading): void {
  const { records } = reading;
  if (!records.hasWidth(record, columns.count)) return;
  const labels: string[] = [];
  const indexes: number[] = [];
  for (const { column, dimension } of columns.dimensions) {
    const text = records.text(record, column) ?? "";
    const index = dimension.kind === "mapped" ? 0 : indexOf(text.trim(), dimension.size);
    if (index === undefined)
      reading.reportAt(record, column, { kind: "text", text }, { kind: "index", dimension });
    if (dimension.kind === "mapped" && text === "" && records.isAbsent(record, column))
      reading.reportAt(record, column, { kind: "text", text }, "label");
    if (dimension.kind === "mapped") labels.push(text);
    else indexes.push(index ?? 0);
  }
  const text = records.text(record, columns.value) ?? "";
  const value = numberInText(text.trim());
  if (value === undefined) reading.reportAt(record, columns.value, { kind: "text", text }, "number");
  cells.add(labels, indexes, value ?? 0);
}
