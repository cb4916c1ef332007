import { type Problem, SphexError } from "../../language/source/problem.js";
import { storeCells } from "../../language/types/cell.js";
import { indexed, TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import type { Prepared } from "../../program/prepared.js";
import { readFeature } from "../ranking/features/read-feature.js";
import type { ProfileProgram } from "../ranking/program/program.js";
import { derivativeKey } from "../ranking/program/quantities.js";
import type { LabelledRow } from "./labelled-rows.js";
import { problem } from "./messages.js";
import { cellsOf, type Parameter } from "./parameters.js";

/** The numbers of all parameters, one behind the other. */
export type Numbers = Float64Array;

/** The scores of rows, and of each row its derivatives in all numbers. */
export interface Scored {
  readonly scores: Float64Array;
  readonly slopes: Float64Array;
}

type Values = Readonly<Record<string, Tensor>>;

/** The features of rows, ready for the program: of all at once where they are numbers, otherwise of each. */
export interface RowFeatures {
  readonly count: number;
  readonly runs: readonly Values[];
  readonly isBatch: boolean;
}

/** The dimension of rows. It comes before all others, so that the cells of a row lie together. */
const rowDimension = "0";

/** The most rows that are told to lack a feature. */
const mostProblems = 20;

/** A phase of a rank profile with derivatives, as a program on labelled rows. */
export class RowScorer {
  /** The features that rows must have. */
  private readonly names: readonly string[];
  private readonly prepared: Prepared;
  readonly initial: Numbers;

  constructor(
    phase: string,
    private readonly program: ProfileProgram,
    readonly parameters: readonly Parameter[],
    /** What is the same for all rows: constants, and inputs with defaults. A row that has a value of its own counts more. */
    private readonly common: ReadonlyMap<string, Tensor>,
  ) {
    const learnt = new Set(parameters.map(({ name }) => name));
    this.names = (program.inputsOf(phase) ?? []).filter((name) => !learnt.has(name));
    const keys = parameters.map((each) => derivativeKey({ of: phase, in: each.name }));
    this.prepared = program.programOf([phase, ...keys]).prepare();
    this.initial = Float64Array.from(parameters.flatMap(({ initial }) => [...cellsOf(initial)]));
  }

  /**
   * The features of rows, once and for all runs.
   * @throws SphexError where a row lacks one.
   */
  features(rows: readonly LabelledRow[]): RowFeatures {
    const problems: Problem[] = [];
    const runs = rows.map((row): Values => {
      const values: Record<string, Tensor> = {};
      for (const name of this.names) {
        const value = this.valueOf(name, row);
        if (value !== undefined) values[name] = value;
        else if (problems.length < mostProblems)
          problems.push(problem("learning/feature", row.span, { name, document: row.document }));
      }
      return values;
    });
    if (problems.length > 0) throw new SphexError(problems);
    const isBatch = this.names.length > 0 && this.names.every((name) => this.isNumber(name, runs));
    return { count: rows.length, runs: isBatch ? [this.stacked(runs)] : runs, isBatch };
  }

  /** The scores that these numbers make, and their derivatives. */
  scored({ count, runs, isBatch }: RowFeatures, numbers: Numbers): Scored {
    const parameters = this.tensorsOf(numbers);
    const scored = { scores: new Float64Array(count), slopes: new Float64Array(count * numbers.length) };
    for (const [at, values] of runs.entries()) {
      const inputs = { ...values, ...parameters };
      const results = isBatch
        ? this.prepared.runAllBatch(rowDimension, inputs)
        : this.prepared.runAll(inputs);
      const rows = isBatch ? count : 1;
      for (let row = 0; row < rows; row++) this.store(results, row, scored, at + row);
    }
    return scored;
  }

  /** Stores the score and the slopes that results have in one of their rows. */
  private store(
    [score, ...derivatives]: Iterable<Tensor>,
    row: number,
    { scores, slopes }: Scored,
    at: number,
  ): void {
    scores[at] = cellIn(score, row, 0, 1);
    let next = (at * slopes.length) / scores.length;
    for (const [which, { initial }] of this.parameters.entries())
      for (let cell = 0; cell < initial.data.length; cell++)
        slopes[next++] = cellIn(derivatives[which], row, cell, initial.data.length);
  }

  /** The parameters with these numbers, as tensors. */
  private tensorsOf(numbers: Numbers): Values {
    let start = 0;
    const entries = this.parameters.map(({ name, initial: { type, sizes, labels, data } }) => {
      const own = numbers.slice(start, (start += data.length));
      return [name, Tensor.of(type, sizes, labels, storeCells(type.cellType, own))] as const;
    });
    return Object.fromEntries(entries);
  }

  private valueOf(name: string, { features }: LabelledRow): Tensor | undefined {
    const own = features.get(name);
    if (own === undefined) return this.common.get(name);
    const value = readFeature(name, own, this.program.typeOf(name));
    return cellsOf(value).every(Number.isFinite) ? value : undefined;
  }

  /** Whether a feature is a number, or the same tensor for all rows. */
  private isNumber(name: string, runs: readonly Values[]): boolean {
    return runs.every((values) => values[name]?.type.isScalar || values[name] === this.common.get(name));
  }

  private stacked(runs: readonly Values[]): Values {
    const type = TensorType.of("double", [indexed(rowDimension, runs.length)]);
    const entries = this.names.map((name): [string, Tensor] => {
      const first = runs[0]?.[name];
      if (first !== undefined && !first.type.isScalar) return [name, first];
      const cells = Float64Array.from(runs, (values) => values[name]?.asNumber() ?? Number.NaN);
      return [name, Tensor.from(type, cells)];
    });
    return Object.fromEntries(entries);
  }
}

/** A cell of a row of a result: one that is the same for all rows of a batch has no cells for each. */
const cellIn = (tensor: Tensor | undefined, row: number, cell: number, cells: number): number =>
  tensor?.at(tensor.data.length === cells ? cell : row * cells + cell) ?? Number.NaN;
