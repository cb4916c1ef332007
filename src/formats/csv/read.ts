import { type Problem, problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { type Dimension, mapped, TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import { indexOf, indexText, mostCells, type PlacedCell, placed } from "../from-cells.js";
import { spelt } from "../json/numbers.js";
import { isDimensionName } from "../literal.js";
import { type Field, recordsOf } from "./records.js";

/**
 * Comma-separated values with a header: a column for each dimension, in any order, and one called `value`, the last of that
 * name. A line is a cell. Without a type all dimensions are mapped.
 */

/** A million wrong lines need no million problems. */
const mostProblems = 20;

export function readCsv(source: Source, type?: TensorType): Parsed<Tensor> {
  const reading = new CsvReading(source);
  const [header, ...lines] = recordsOf(source, (span, found, wanted) =>
    reading.complain(span, found, wanted),
  );
  const columns = reading.problems.length === 0 ? columnsOf(header ?? [], type, reading) : undefined;
  if (columns === undefined) return { tree: undefined, problems: reading.problems };
  const cells = lines.map((line) => cellOf(line, columns, reading));
  if (reading.problems.length > 0) return { tree: undefined, problems: reading.problems };
  const known = cells.filter((each) => each !== undefined);
  const tree = placed(known, columns.type, {
    ofSize: (total) => reading.complain(reading.whole, `${total} cells`, `at most ${mostCells} cells`),
    ofRepeat: (place) => reading.complain(place, "an address again", "a cell with an address of its own"),
  });
  return { tree: reading.problems.length === 0 ? tree : undefined, problems: reading.problems };
}

class CsvReading {
  readonly problems: Problem[] = [];
  readonly whole: Span;

  constructor(source: Source) {
    this.whole = { source, start: 0, end: source.text.length };
  }

  complain(span: Span, found: string, wanted: string): undefined {
    if (this.problems.length < mostProblems)
      this.problems.push(problem("csv/shape", span, { found, wanted }));
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
  known: TensorType | undefined,
  reading: CsvReading,
): Columns | undefined {
  const names = header.map(({ text }) => text.trim());
  const value = names.lastIndexOf("value");
  const wanted =
    known === undefined ? "names of dimensions, and value" : `${[...known.names, "value"].join(", ")}`;
  if (value < 0)
    return reading.complain(spanOf(header, reading), shown(names.join(", ")), `a header: ${wanted}`);
  const others = header.flatMap((field, column) =>
    column === value ? [] : [{ field, column, name: names[column] ?? "" }],
  );
  for (const [at, { field, name }] of others.entries()) {
    if (known === undefined ? !isDimensionName(name) : known.dimension(name) === undefined)
      reading.complain(
        field.span,
        shown(name),
        known === undefined ? "the name of a dimension" : `one of ${wanted}`,
      );
    else if (others.findIndex((each) => each.name === name) < at)
      reading.complain(field.span, `${name} again`, "each dimension once");
  }
  const missing = known?.names.filter((name) => !others.some((each) => each.name === name)) ?? [];
  if (missing.length > 0)
    reading.complain(spanOf(header, reading), `no column ${missing.join(", ")}`, `a header: ${wanted}`);
  if (reading.problems.length > 0) return undefined;
  const type =
    known ??
    TensorType.of(
      "double",
      others.map(({ name }) => mapped(name)),
    );
  const dimensions = type.dimensions.map((dimension) => {
    const column = others.find(({ name }) => name === dimension.name)?.column ?? 0;
    return { column, dimension };
  });
  return { type, dimensions, value, count: header.length };
}

function cellOf(line: readonly Field[], columns: Columns, reading: CsvReading): PlacedCell<Span> | undefined {
  const place = spanOf(line, reading);
  if (line.length !== columns.count) {
    const found = `${line.length} ${line.length === 1 ? "field" : "fields"}`;
    return reading.complain(place, found, `${columns.count} fields, as in the header`);
  }
  const labels: string[] = [];
  const indexes: number[] = [];
  for (const { column, dimension } of columns.dimensions) {
    const field = line[column];
    const text = field?.text ?? "";
    const index = dimension.kind === "mapped" ? 0 : indexOf(text.trim(), dimension.size);
    if (index === undefined) {
      reading.complain(
        field?.span ?? place,
        shown(text),
        `${indexText(dimension.size)}, for ${dimension.name}`,
      );
    } else if (dimension.kind === "mapped") labels.push(text);
    else indexes.push(index);
  }
  const field = line[columns.value];
  const value = spelt(field?.text.trim() ?? "");
  if (value === undefined) reading.complain(field?.span ?? place, shown(field?.text ?? ""), "a number");
  return { labels, indexes, value: value ?? 0, place };
}

function spanOf(fields: readonly Field[], { whole }: CsvReading): Span {
  const [first, last] = [fields[0], fields.at(-1)];
  return first === undefined || last === undefined
    ? whole
    : { ...whole, start: first.span.start, end: last.span.end };
}

const shown = (text: string): string => (text === "" ? "nothing" : JSON.stringify(text.slice(0, 40)));
