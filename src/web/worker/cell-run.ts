import {
  escapeHidden,
  type InputValues,
  numberText,
  type Program,
  type Progress,
  SphexError,
  type Tensor,
} from "../../index.js";
import { type Analysis, isWrittenValue } from "../../service/service.js";
import { type ResultView, viewOf } from "../document/page-document.js";
import type { CellReport, CellState, PageProblem } from "../protocol.js";
import { type CellInput, CellProgram, type RunnableCell } from "./cell-program.js";
import { CellValue } from "./cell-value.js";
import { pageProblem } from "./page-problem.js";

/** How a run is watched. */
export interface RunWatch {
  readonly signal: AbortSignal;
  readonly progress: (at: Progress) => void;
}

/** A cell with what was found of it, and with what came of running it. */
export class CellRun {
  private readonly read: CellProgram;
  private found: readonly PageProblem[];
  private program: Program | undefined;
  private state: CellState = "empty";
  private milliseconds = 0;
  values: readonly CellValue[] = [];

  /** Where an earlier run has read the same text, of inputs of the same types, it is not read again. */
  constructor(
    public input: CellInput,
    earlier?: CellRun,
  ) {
    this.read = earlier?.read.isFor(input) === true ? earlier.read : new CellProgram(input);
    this.found = this.read.problems;
  }

  get analysis(): Analysis {
    return this.read.analysis;
  }

  /** The same run, of a cell whose name or views may be others. */
  as(cell: RunnableCell): this {
    this.input = { ...this.input, cell };
    return this;
  }

  get inputValues(): InputValues {
    return Object.fromEntries(this.input.inputs);
  }

  /** The program of a cell that was run. */
  get compiled(): Program | undefined {
    return this.program;
  }

  /** The value that the cell gives to its name. */
  get tensor(): Tensor | undefined {
    return this.input.cell.kind === "expression" ? this.values[0]?.tensor : undefined;
  }

  /** Puts the tensor of an earlier run, which is equal, in the place of the only value. */
  keepValue(tensor: Tensor): void {
    this.values = this.values.map((value) => value.of(tensor));
  }

  /** Leaves the cell without a value, until somebody asks for it. */
  skip(): void {
    this.state = "cancelled";
  }

  get isSkipped(): boolean {
    return this.state === "cancelled";
  }

  async run(watch: RunWatch): Promise<void> {
    const { cell } = this.input;
    if (cell.text.trim() === "") return;
    this.state = "failed";
    if (this.found.some(({ severity }) => severity === "error")) return;
    if (this.read.waitsFor.length > 0) {
      this.state = "waiting";
      return;
    }
    const start = performance.now();
    try {
      this.program = this.read.compile();
      const values = [...this.program.values.keys()];
      const results = await this.program.runAllAsync(this.inputValues, { ...watch, values });
      this.values =
        cell.kind === "program" ? this.programValues(this.program, results) : this.onlyValue(results.results);
      this.state = "done";
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      if (error.problems.some(({ code }) => code === "limit/cancelled")) this.state = "cancelled";
      else this.found = [...this.found, ...error.problems.map((each) => pageProblem(each))];
    }
    this.milliseconds = performance.now() - start;
  }

  private onlyValue(results: readonly Tensor[]): readonly CellValue[] {
    const [statement] = this.analysis.tree.statements;
    const tree = statement?.kind === "result" ? statement.expression : undefined;
    return results.map(
      (tensor) => new CellValue("", tensor, tree !== undefined && isWrittenValue(tree, tensor)),
    );
  }

  /** Results, and named values, in the order of the text. */
  private programValues(program: Program, results: ProgramResults): readonly CellValue[] {
    const unnamed = program.results.flatMap(({ name, span }, at) => {
      const tensor = results.results[at];
      return name !== undefined || tensor === undefined
        ? []
        : [{ start: span.start, key: `${at + 1}`, tensor }];
    });
    const named = [...program.values.keys()].map((name) => ({
      start: this.analysis.symbols.program.get(name)?.span.start ?? 0,
      key: name,
      tensor: results.value(name),
    }));
    return [...unnamed, ...named]
      .sort((a, b) => a.start - b.start)
      .map(({ key, tensor }) => new CellValue(key, tensor, false));
  }

  /** What keeps the cell from having values. */
  get refusal(): string | undefined {
    return this.found.find(({ severity }) => severity === "error")?.message;
  }

  /** The values in words. */
  get summary(): string {
    return this.values.map(({ tensor }) => escapeHidden(tensorWords(tensor))).join(", ");
  }

  get report(): CellReport {
    const { cell } = this.input;
    const view = (key: string): ResultView => viewOf(cell.views, key);
    return {
      kind: "report",
      id: cell.id,
      text: cell.text,
      state: this.state,
      waitingFor: this.state === "waiting" ? this.read.waitsFor : [],
      problems: this.found,
      tokens: this.read.tokens,
      inlays: this.read.inlays,
      values: this.values.map((value) => value.report(view(value.key))),
      milliseconds: this.milliseconds,
    };
  }
}

/** So many cells are told as they are. */
const mostTold = 12;

function tensorWords(tensor: Tensor): string {
  const { type, data } = tensor;
  if (type.isScalar) return numberText(tensor.asNumber(), type.cellType);
  return data.length <= mostTold ? `${tensor}` : `${type} with ${data.length} cells`;
}

type ProgramResults = Awaited<ReturnType<Program["runAllAsync"]>>;
