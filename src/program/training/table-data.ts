import { type ExpectedInCsv, type FoundInCsv, problem } from "../../formats/csv/messages.js";
import { type Field, recordsOf } from "../../formats/csv/records.js";
import { requireArgument, requireSource } from "../../language/source/arguments.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { indexed, type TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";

/** A million wrong lines need no million problems. */
const mostProblems = 20;

/** The most cells of an input with labels, each of which has a cell for each item. */
const mostCells = 50_000_000;

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
  const table = new Table(source);
  const tensors = [...inputs].flatMap(([name, type]): [string, Tensor][] => {
    const tensor = table.input(name, type);
    return tensor === undefined ? [] : [[name, tensor]];
  });
  if (table.problems.length > 0) throw new SphexError(table.problems);
  return Object.fromEntries(tensors);
}

class Table {
  readonly problems: Problem[] = [];
  private readonly head: readonly Field[];
  private readonly lines: readonly (readonly Field[])[];

  constructor(private readonly source: Source) {
    const [head = [], ...lines] = recordsOf(source, (span, found, expected) =>
      this.report(span, found, expected),
    );
    this.head = head;
    this.lines = lines;
  }

  /** Nothing where the table is not about an input. */
  input(name: string, type: TensorType): Tensor | undefined {
    const rows = type.indexed.filter(({ size }) => size === undefined);
    const [row, ...others] = rows;
    if (row === undefined || others.length > 0) return undefined;
    const count = this.lines.length;
    const sized = type.withDimensions(
      type.dimensions.map((each) => (each === row ? indexed(row.name, count) : each)),
    );
    if (type.mapped.length > 0) {
      const column = type.rank === 2 ? this.column(name) : undefined;
      return column === undefined ? undefined : this.indicator(column, sized);
    }
    const fixed = type.indexed.filter((each) => each !== row);
    const cells = fixed.reduce((product, { size = 1 }) => product * size, 1);
    const names = fixed.length === 0 ? [name] : Array.from({ length: cells }, (_, at) => `${name}[${at}]`);
    const columns = names.map((each) => this.column(each));
    if (fixed.length > 1 || columns.includes(undefined)) return undefined;
    const numbers = columns.map((column) => (column === undefined ? [] : this.numbers(column)));
    const isRowFirst = fixed.length === 0 || sized.names[0] === row.name;
    const values = Float64Array.from({ length: count * cells }, (_, at) => {
      const [item, cell] = isRowFirst
        ? [Math.floor(at / cells), at % cells]
        : [at % count, Math.floor(at / count)];
      return numbers[cell]?.[item] ?? Number.NaN;
    });
    return Tensor.from(sized, values);
  }

  private column(name: string): number | undefined {
    const at = this.head.findIndex(({ text }) => text.trim() === name);
    return at < 0 ? undefined : at;
  }

  private numbers(column: number): number[] {
    return this.lines.map((line) => {
      const field = line[column];
      const value = field === undefined || field.text.trim() === "" ? Number.NaN : Number(field.text);
      if (Number.isNaN(value))
        this.report(field?.span ?? this.endOf(line), { kind: "text", text: field?.text ?? "" }, "number");
      return value;
    });
  }

  private indicator(column: number, type: TensorType): Tensor | undefined {
    const count = this.lines.length;
    const blocks = new Map<string, Float64Array>();
    for (const [item, line] of this.lines.entries()) {
      const label = line[column]?.text ?? "";
      const block = blocks.get(label) ?? new Float64Array(count);
      block[item] = 1;
      blocks.set(label, block);
      if (blocks.size * count <= mostCells) continue;
      const found = { kind: "cells", count: blocks.size * count } as const;
      return void this.report(this.endOf(line), found, { kind: "most cells", count: mostCells });
    }
    return Tensor.from(type, blocks);
  }

  private endOf(line: readonly Field[]): Span {
    return line.at(-1)?.span ?? { source: this.source, start: 0, end: 0 };
  }

  private report(span: Span, found: FoundInCsv, expected: ExpectedInCsv): void {
    if (this.problems.length < mostProblems)
      this.problems.push(problem("csv/shape", span, { found, expected }));
  }
}
