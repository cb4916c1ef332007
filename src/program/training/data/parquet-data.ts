import type { ExpectedBytes, FoundBytes } from "../../../formats/messages/bytes.js";
import { problem } from "../../../formats/messages.js";
import { openParquet, type ParquetFile } from "../../../formats/parquet/columns.js";
import { requireArgument } from "../../../language/source/arguments.js";
import { type OptionRules, object, text } from "../../../language/source/option-rule.js";
import { type Problem, SphexError } from "../../../language/source/problem.js";
import type { TensorType } from "../../../language/types/type.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { fileMeter, type ReadOptions } from "../../inputs/tensor-files.js";
import { checkLimitedOptions } from "../../option-rules.js";
import { limitsOf } from "../../options.js";
import { inputsIn, type TrainingTable } from "./table-inputs.js";

/** The name of the file in messages, and the limits for it. */
export type TrainingFileOptions = Pick<ReadOptions, "name" | "limits">;

const fileRules: OptionRules<TrainingFileOptions> = { name: text, limits: object };

/** As in a table of lines. */
const mostProblems = 20;

/**
 * The inputs of a program in a Parquet file, from columns as `readTrainingTable` has them. Numbers and truth values are numbers; labels may
 * be texts and whole numbers. Dates and times are neither, but durations of Arrow and pandas, which a file has as whole numbers, are read as
 * these, in the unit that they have there.
 * @throws SphexError where it is none, is larger than the limits allow, or has no number or label in a row.
 */
export async function readTrainingParquet(
  bytes: Uint8Array,
  inputs: ReadonlyMap<string, TensorType>,
  options: TrainingFileOptions = {},
): Promise<Record<string, Tensor>> {
  requireArgument("readTrainingParquet", "bytes", bytes, bytes instanceof Uint8Array);
  requireArgument("readTrainingParquet", "map", inputs, inputs instanceof Map);
  checkLimitedOptions("readTrainingParquet", options, fileRules);
  const { name = "parquet" } = options;
  const { store } = fileMeter(name, bytes, options);
  const table = new ParquetTable(
    await openParquet({ name, bytes }, { store, most: limitsOf(options).cells }),
  );
  const tensors = inputsIn(table, inputs);
  if (table.problems.length > 0) throw new SphexError(table.problems);
  return tensors;
}

class ParquetTable implements TrainingTable {
  readonly problems: Problem[] = [];

  constructor(private readonly file: ParquetFile) {}

  get rows(): number {
    return this.file.rows;
  }

  has(column: string): boolean {
    return this.file.names.has(column);
  }

  columns(): Iterable<string> {
    // Of a damaged file a name may be missing.
    return [...this.file.names].filter((name: unknown) => typeof name === "string");
  }

  numbers(column: string): Float64Array {
    const numbers = new Float64Array(this.rows);
    this.each(column, (row, value, offset) => {
      numbers[row] = numberIn(value);
      if (Number.isNaN(numbers[row]))
        this.report(offset, foundIn(value), { kind: "number in row", name: column, row });
    });
    return numbers;
  }

  labels(column: string): string[] {
    const labels: string[] = [];
    this.each(column, (row, value, offset) => {
      const label = labelIn(value);
      if (label === undefined)
        this.report(offset, foundIn(value), { kind: "label in row", name: column, row });
      labels.push(label ?? "");
    });
    return labels;
  }

  refuseColumns(names: readonly string[]): void {
    const text = [...this.file.names].join(", ").slice(0, 40);
    this.report(0, { kind: "text", text }, { kind: "input column", names });
  }

  refuseRows(): void {
    this.report(0, { kind: "rows", count: 0 }, "some row");
  }

  refusePart(column: string, names: readonly string[]): void {
    const kind = this.has(column) ? "column" : "no column";
    this.report(0, { kind, name: column }, { kind: "parts", names });
  }

  refuseCells(column: string, _: number, count: number, most: number): void {
    this.report(0, { kind: "number", value: count }, { kind: "most cells", name: column, count: most });
  }

  private each(column: string, use: (row: number, value: unknown, offset: number) => void): void {
    let row = 0;
    for (const { values, offset } of this.file.column(column))
      for (let index = 0; index < values.length; index++) use(row++, values[index], offset);
  }

  private report(offset: number, found: FoundBytes, expected: ExpectedBytes): void {
    if (this.problems.length < mostProblems)
      this.problems.push(problem("bytes/shape", this.file.bytes.span(offset), { offset, found, expected }));
  }
}

function numberIn(value: unknown): number {
  const isNumber = typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
  return isNumber ? Number(value) : Number.NaN;
}

/** Of doubles, those beyond the safe ones may each stand for several whole numbers. */
function labelIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "bigint" || Number.isSafeInteger(value) ? `${value}` : undefined;
}

function foundIn(value: unknown): FoundBytes {
  if (value === undefined || value === null) return "nothing";
  if (typeof value === "string") return { kind: "text", text: value.slice(0, 40) };
  return typeof value === "number" ? { kind: "number", value } : "other bytes";
}
