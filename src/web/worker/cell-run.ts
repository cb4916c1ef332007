import {
  compile,
  compileExpression,
  escapeHidden,
  type InputValues,
  numberText,
  type Options,
  type Program,
  type Progress,
  SphexError,
  type Tensor,
} from "../../index.js";
import { Analysis, colouredTokens, externalNames, inlayTypes, quickFixes } from "../../service/service.js";
import type { DocumentDialect, ExpressionCell, ProgramCell, ResultView } from "../document/page-document.js";
import type { CellReport, CellState, PageProblem } from "../protocol.js";
import { CellValue } from "./cell-value.js";
import { pageProblem } from "./page-problem.js";

export type RunnableCell = ExpressionCell | ProgramCell;
export type InputTensors = ReadonlyMap<string, Tensor>;

/** What a cell is computed from. */
export interface CellInput {
  readonly cell: RunnableCell;
  readonly dialect: DocumentDialect;
  readonly inputs: InputTensors;
  /** Names that the text mentions, of cells that have no value. */
  readonly missing: readonly string[];
  /** The names of cells below. */
  readonly below: readonly string[];
}

/** How a run is watched. */
export interface RunWatch {
  readonly signal: AbortSignal;
  readonly progress: (at: Progress) => void;
}

/** How many cells and bytes the tensors of a cell may have: a page has less memory than a command. */
const limits = { cells: 20_000_000, bytes: 2 ** 30 } as const;

const clock = (): number => performance.now();

/** A cell with what was found of it, and with what came of running it. */
export class CellRun {
  readonly analysis: Analysis;
  private found: readonly PageProblem[] = [];
  private program: Program | undefined;
  private state: CellState = "empty";
  private milliseconds = 0;
  values: readonly CellValue[] = [];

  constructor(public input: CellInput) {
    const { cell } = input;
    const form = cell.kind === "program" ? "program" : "expression";
    this.analysis = new Analysis({ name: "cell", text: cell.text }, this.options, form);
    // Where nothing is written yet, nothing is wrong.
    const problems = cell.text.trim() === "" ? [] : this.analysis.problems;
    this.found = problems.map((each) => {
      const fixes = quickFixes(this.analysis, each.span.start, each.span.end).filter(
        ({ problem }) => problem === each,
      );
      const edits = (fix: (typeof fixes)[number]) =>
        fix.edits.map(({ span, text }) => ({ start: span.start, end: span.end, text }));
      const problem = pageProblem(
        each,
        fixes.map((fix) => ({ title: fix.title, edits: edits(fix) })),
      );
      // A cell declares no inputs: its names are those of cells.
      const isName =
        each.code === "name/unknown" && form === "expression" && each.description.replacement === undefined;
      return isName
        ? { ...problem, expected: "the name of a cell above", hint: this.hintFor(each.values.name) }
        : problem;
    });
  }

  /** The same run, of a cell whose name or views may be others. */
  as(cell: RunnableCell): this {
    this.input = { ...this.input, cell };
    return this;
  }

  private hintFor(name: string): string {
    return this.input.below.includes(name)
      ? `${name} is a cell below: move it above this one`
      : `give a cell above the name ${name}`;
  }

  get options(): Options {
    const types = [...this.input.inputs].map(([name, { type }]) => [name, type] as const);
    return { dialect: this.input.dialect, inputs: Object.fromEntries(types), limits, name: "cell", clock };
  }

  get inputValues(): InputValues {
    return Object.fromEntries(this.input.inputs);
  }

  /** The program of a cell that could be compiled. */
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

  /** Leaves the cell without a value. */
  skip(): void {
    this.state = "cancelled";
  }

  async run(watch: RunWatch): Promise<void> {
    const { cell, missing } = this.input;
    if (cell.text.trim() === "") return;
    if (missing.length > 0) {
      this.state = "waiting";
      this.found = this.found.filter(({ code }) => code !== "name/unknown");
      return;
    }
    this.state = "failed";
    if (this.found.some(({ severity }) => severity === "error")) return;
    const start = performance.now();
    try {
      this.program = (cell.kind === "program" ? compile : compileExpression)(cell.text, this.options);
      const results = await this.program.runAllAsync(this.inputValues, watch);
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
    const kind = statement?.kind === "result" ? statement.expression.kind : undefined;
    return results.map((tensor) => new CellValue("", tensor, kind === "literal" || kind === "number"));
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

  /** The values in words, or what keeps the cell from having them. */
  get summary(): string {
    const [problem] = this.found.filter(({ severity }) => severity === "error");
    if (problem !== undefined) return problem.message;
    return this.values.map(({ tensor }) => escapeHidden(tensorWords(tensor))).join(", ");
  }

  /** The words of the text, those that name other cells among them. */
  private get tokens(): CellReport["tokens"] {
    const names = externalNames(this.analysis, new Set(this.input.inputs.keys()));
    const external = new Set(names.map(({ span }) => span.start));
    return colouredTokens(this.analysis).map(({ start, length, kind }) => ({
      ...{ start, length },
      kind: external.has(start) ? "input" : kind,
    }));
  }

  get report(): CellReport {
    const { cell } = this.input;
    const view = (key: string): ResultView => cell.views[key] ?? {};
    return {
      kind: "report",
      id: cell.id,
      text: cell.text,
      state: this.state,
      waitingFor: this.state === "waiting" ? this.input.missing : [],
      problems: this.found,
      tokens: this.tokens,
      inlays: inlayTypes(this.analysis),
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
