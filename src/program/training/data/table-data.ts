import { type ExpectedInCsv, type FoundInCsv, problem } from "../../../formats/csv/messages.js";
import { Records } from "../../../formats/csv/records.js";
import { numberInText } from "../../../formats/json/numbers.js";
import { requireArgument, requireSource } from "../../../language/source/arguments.js";
import { type Problem, SphexError } from "../../../language/source/problem.js";
import type { Source, Span } from "../../../language/source/span.js";
import { TensorType } from "../../../language/types/type.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { inputsIn, type TrainingTable } from "./table-inputs.js";

/** A million wrong lines need no million problems. */
const mostProblems = 20;

/**
 * The inputs of a program in a table, comma-separated values with a header: a line is an item. An input of one number an item, such as
 * `y: tensor(row[])`, is a column `y`; one of several, such as `x: tensor(feature[2],row[])`, columns `x[0]` and `x[1]`. Of an input with labels,
 * `user: tensor(row[],user{})`, the column has the label at which each item is 1; a field with nothing in it is none, and `""` the label without
 * characters. Other columns are left out.
 * @throws SphexError where it has no such columns, or not all of those that are numbered, where it has no line, and where a field is no number.
 */
export function readTrainingTable(
  source: Source,
  inputs: ReadonlyMap<string, TensorType>,
): Record<string, Tensor> {
  requireSource("readTrainingTable", source);
  requireArgument("readTrainingTable", "map", inputs, inputs instanceof Map);
  for (const type of inputs.values())
    requireArgument("readTrainingTable", "type", type, type instanceof TensorType);
  const table = new CsvTable(source);
  const refuse = (): void => {
    if (table.problems.length > 0) throw new SphexError(table.problems);
  };
  refuse();
  const tensors = inputsIn(table, inputs);
  refuse();
  return tensors;
}

class CsvTable implements TrainingTable {
  readonly problems: Problem[] = [];
  /** Where the columns of each name stand. */
  private readonly indexes = new Map<string, number[]>();
  /** The header, and a record for each item. */
  private readonly records: Records;

  constructor(private readonly source: Source) {
    this.records = new Records(source, (span, found, expected) => this.report(span, found, expected));
    const header = this.records.header();
    for (const [at, name] of header.entries()) {
      const indexes = this.indexes.get(name);
      if (indexes === undefined) this.indexes.set(name, [at]);
      else indexes.push(at);
    }
    for (let record = 1; record < this.records.count; record++) this.records.hasWidth(record, header.length);
  }

  get rows(): number {
    return Math.max(0, this.records.count - 1);
  }

  has(column: string): boolean {
    return this.indexes.has(column);
  }

  columns(): Iterable<string> {
    return this.indexes.keys();
  }

  numbers(column: string): Float64Array {
    const index = this.indexOf(column);
    return new Float64Array(this.rows).map((_, row) => {
      const text = index === undefined ? undefined : this.records.text(row + 1, index);
      const value = numberInText((text ?? "").trim()) ?? Number.NaN;
      if (Number.isNaN(value))
        this.report(this.spanOf(row, index), { kind: "text", text: text ?? "" }, "number");
      return value;
    });
  }

  labels(column: string): string[] {
    const index = this.indexOf(column);
    return Array.from({ length: this.rows }, (_, row) => {
      const text = index === undefined ? undefined : this.records.text(row + 1, index);
      if (index !== undefined && text === "" && this.records.isAbsent(row + 1, index))
        this.report(this.spanOf(row, index), { kind: "text", text }, "label");
      return text ?? "";
    });
  }

  /** Where a column stands, of which there must be one. */
  private indexOf(name: string): number | undefined {
    const [first, second] = this.indexes.get(name) ?? [];
    if (second !== undefined)
      this.report(this.records.field(0, second).span, { kind: "column", name }, { kind: "own column", name });
    return first;
  }

  refuseColumns(names: readonly string[]): void {
    const found = this.records.header().join(", ");
    const span = this.records.count === 0 ? this.spanOf(0) : this.records.span(0);
    this.report(span, { kind: "text", text: found }, { kind: "input column", names });
  }

  refuseRows(): void {
    this.report(this.records.span(0), "no line", "line below");
  }

  refusePart(column: string, names: readonly string[]): void {
    const [at] = this.indexes.get(column) ?? [];
    const isMissing = at === undefined;
    this.report(
      isMissing ? this.records.span(0) : this.records.field(0, at).span,
      isMissing ? { kind: "missing columns", names: [column] } : { kind: "text", text: column },
      { kind: "parts", names },
    );
  }

  refuseCells(_: string, row: number, count: number, most: number): void {
    this.report(this.spanOf(row), { kind: "cells", count }, { kind: "most cells", count: most });
  }

  /** The field of an item in a column; the last one where there is none. */
  private spanOf(row: number, index = Number.POSITIVE_INFINITY): Span {
    if (row >= this.rows) return { source: this.source, start: 0, end: 0 };
    const last = this.records.width(row + 1) - 1;
    return this.records.field(row + 1, Math.min(index, last)).span;
  }

  private report(span: Span, found: FoundInCsv, expected: ExpectedInCsv): void {
    if (this.problems.length < mostProblems)
      this.problems.push(problem("csv/shape", span, { found, expected }));
  }
}
