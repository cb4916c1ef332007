import { type ExpectedInCsv, type FoundInCsv, problem } from "../../formats/csv/messages.js";
import { type Field, recordsOf } from "../../formats/csv/records.js";
import { requireArgument, requireSource } from "../../language/source/arguments.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import { inputsIn, type TrainingTable } from "./table-inputs.js";

/** A million wrong lines need no million problems. */
const mostProblems = 20;

/**
 * The inputs of a program in a table, comma-separated values with a header: a line is an item. An input of one number an item, such as
 * `y: tensor(row[])`, is a column `y`; one of several, such as `x: tensor(feature[2],row[])`, columns `x[0]` and `x[1]`. Of an input with labels,
 * `user: tensor(row[],user{})`, the column has the label at which each item is 1.
 * @throws SphexError where it has no such columns, or a field is no number.
 */
export function readTrainingTable(
  source: Source,
  inputs: ReadonlyMap<string, TensorType>,
): Record<string, Tensor> {
  requireSource("readTrainingTable", source);
  requireArgument("readTrainingTable", "map", inputs, inputs instanceof Map);
  const table = new CsvTable(source);
  const tensors = inputsIn(table, inputs);
  if (table.problems.length > 0) throw new SphexError(table.problems);
  return tensors;
}

class CsvTable implements TrainingTable {
  readonly problems: Problem[] = [];
  /** Where the first column of each name stands. */
  private readonly indexes = new Map<string, number>();
  private readonly lines: readonly (readonly Field[])[];

  constructor(private readonly source: Source) {
    const [head = [], ...lines] = recordsOf(source, (span, found, expected) =>
      this.report(span, found, expected),
    );
    for (const [at, { text }] of head.entries()) {
      const name = text.trim();
      if (!this.indexes.has(name)) this.indexes.set(name, at);
    }
    this.lines = lines;
  }

  get rows(): number {
    return this.lines.length;
  }

  has(column: string): boolean {
    return this.indexes.has(column);
  }

  numbers(column: string): number[] {
    const index = this.indexes.get(column);
    return this.lines.map((line) => {
      const field = index === undefined ? undefined : line[index];
      const value = field === undefined || field.text.trim() === "" ? Number.NaN : Number(field.text);
      if (Number.isNaN(value))
        this.report(field?.span ?? this.endOf(line), { kind: "text", text: field?.text ?? "" }, "number");
      return value;
    });
  }

  labels(column: string): string[] {
    const index = this.indexes.get(column);
    return this.lines.map((line) => (index === undefined ? "" : (line[index]?.text ?? "")));
  }

  refuseCells(_: string, row: number, count: number, most: number): void {
    this.report(
      this.endOf(this.lines[row] ?? []),
      { kind: "cells", count },
      { kind: "most cells", count: most },
    );
  }

  private endOf(line: readonly Field[]): Span {
    return line.at(-1)?.span ?? { source: this.source, start: 0, end: 0 };
  }

  private report(span: Span, found: FoundInCsv, expected: ExpectedInCsv): void {
    if (this.problems.length < mostProblems)
      this.problems.push(problem("csv/shape", span, { found, expected }));
  }
}
