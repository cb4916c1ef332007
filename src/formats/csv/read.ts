import type { Problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { type Dimension, mapped, TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import { indexOf, type LocatedCell, mostCells, tensorFromCells } from "../from-cells.js";
import { numberInText } from "../json/numbers.js";
import { isDimensionName } from "../literal.js";
import { type ExpectedInCsv, type FoundInCsv, problem } from "./messages.js";
import { type Field, recordsOf } from "./records.js";

/**
 * Comma-separated values with a header: a column for each dimension, in any order, and one called `value`, the last of that
 * name. A line is a cell. Without a type all dimensions are mapped.
 */

/** A million wrong lines need no million problems. */
const mostProblems = 20;

export function readCsv(source: Source, type?: TensorType): Parsed<Tensor> {
  const reading = new CsvReading(source);
  const [header, ...lines] = recordsOf(source, (span, found, expected) =>
    reading.report(span, found, expected),
  );
  const columns = reading.problems.length === 0 ? columnsOf(header ?? [], type, reading) : undefined;
  if (columns === undefined) return { tree: undefined, problems: reading.problems };
  const cells = lines.map((line) => cellOf(line, columns, reading));
  if (reading.problems.length > 0) return { tree: undefined, problems: reading.problems };
  const validCells = cells.filter((each) => each !== undefined);
  const tree = tensorFromCells(validCells, columns.type, {
    ofSize: (count) =>
      reading.report(reading.whole, { kind: "cells", count }, { kind: "most cells", count: mostCells }),
    ofRepeat: (span) => reading.report(span, "same address", "own address"),
  });
  return { tree: reading.problems.length === 0 ? tree : undefined, problems: reading.problems };
}

class CsvReading {
  readonly problems: Problem[] = [];
  readonly whole: Span;

  constructor(source: Source) {
    this.whole = { source, start: 0, end: source.text.length };
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
function columnsOf(
  header: readonly Field[],
  declared: TensorType | undefined,
  reading: CsvReading,
): Columns | undefined {
  const names = header.map(({ text }) => text.trim());
  const value = names.lastIndexOf("value");
  const expected =
    declared === undefined ? "any header" : ({ kind: "header", names: declared.names } as const);
  if (value < 0)
    return reading.report(spanOf(header, reading), { kind: "text", text: names.join(", ") }, expected);
  const others = header.flatMap((field, column) =>
    column === value ? [] : [{ field, column, name: names[column] ?? "" }],
  );
  const first = new Map<string, number>();
  for (const { field, column, name } of others) {
    if (declared === undefined ? !isDimensionName(name) : declared.dimension(name) === undefined)
      reading.report(
        field.span,
        { kind: "text", text: name },
        declared === undefined ? "dimension" : { kind: "column", names: declared.names },
      );
    else if (first.has(name)) reading.report(field.span, { kind: "column", name }, "each dimension once");
    else first.set(name, column);
  }
  const missing = declared?.names.filter((name) => !first.has(name)) ?? [];
  if (missing.length > 0)
    reading.report(spanOf(header, reading), { kind: "missing columns", names: missing }, expected);
  if (reading.problems.length > 0) return undefined;
  const type =
    declared ??
    TensorType.of(
      "double",
      others.map(({ name }) => mapped(name)),
    );
  const dimensions = type.dimensions.map((dimension) => {
    const column = first.get(dimension.name);
    if (column === undefined) throw new Error(`there is no column ${dimension.name}`);
    return { column, dimension };
  });
  return { type, dimensions, value, count: header.length };
}

function cellOf(
  line: readonly Field[],
  columns: Columns,
  reading: CsvReading,
): LocatedCell<Span> | undefined {
  const span = spanOf(line, reading);
  if (line.length !== columns.count) {
    const found = { kind: "fields", count: line.length } as const;
    return reading.report(span, found, { kind: "fields", count: columns.count });
  }
  const labels: string[] = [];
  const indexes: number[] = [];
  for (const { column, dimension } of columns.dimensions) {
    const field = line[column];
    const text = field?.text ?? "";
    const index = dimension.kind === "mapped" ? 0 : indexOf(text.trim(), dimension.size);
    if (index === undefined) {
      reading.report(field?.span ?? span, { kind: "text", text }, { kind: "index", dimension });
    } else if (dimension.kind === "mapped") labels.push(text);
    else indexes.push(index);
  }
  const field = line[columns.value];
  const text = field?.text ?? "";
  const value = numberInText(text.trim());
  if (value === undefined) reading.report(field?.span ?? span, { kind: "text", text }, "number");
  return { labels, indexes, value: value ?? 0, location: span };
}

function spanOf(fields: readonly Field[], { whole }: CsvReading): Span {
  const [first, last] = [fields[0], fields.at(-1)];
  return first === undefined || last === undefined
    ? whole
    : { ...whole, start: first.span.start, end: last.span.end };
}
