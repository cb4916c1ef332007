import type { Dialect } from "../../index.js";
import {
  compile,
  compileExpression,
  type Options,
  type Problem,
  type Program,
  type Tensor,
} from "../../index.js";
import {
  Analysis,
  colouredTokens,
  externalNames,
  inlayTypes,
  type QuickFix,
  quickFixes,
} from "../../service/service.js";
import type { ExpressionCell, ProgramCell } from "../document/page-document.js";
import type { PageFix, PageInlay, PageProblem, PageToken } from "../protocol.js";
import { statementCount } from "./cell-statements.js";
import { pageProblem } from "./page-problem.js";

export type RunnableCell = ExpressionCell | ProgramCell;
export type InputTensors = ReadonlyMap<string, Tensor>;

/** What a cell is computed from. */
export interface CellInput {
  readonly cell: RunnableCell;
  readonly dialect: Dialect;
  readonly inputs: InputTensors;
  /** Names of cells that have no value, whose words are in the text. */
  readonly missing: readonly string[];
  /** The names of cells below. */
  readonly below: readonly string[];
}

/** How many cells and bytes the tensors of a cell may have: a page has less memory than a command. */
const limits = { cells: 20_000_000, bytes: 2 ** 30 } as const;

/** Words beyond so many have no colour: what is pasted may be as long as it likes, and the page goes on. */
const mostTokens = 20_000;

const clock = (): number => performance.now();

/** A cell as it is read: all of it that depends on its text, and on the types of its inputs but not on their cells. */
export class CellProgram {
  readonly analysis: Analysis;
  readonly problems: readonly PageProblem[];
  /** The words of the text, those that name other cells among them. */
  readonly tokens: readonly PageToken[];
  readonly inlays: readonly PageInlay[];
  /** The names that it reads of cells that have no value. */
  readonly waitsFor: readonly string[];
  private readonly key: string;
  private program: Program | undefined;

  constructor(private readonly input: CellInput) {
    const { cell, inputs, missing } = input;
    this.key = keyOf(input);
    this.analysis = new Analysis({ name: "cell", text: cell.text }, this.options, formOf(cell));
    const awaited = externalNames(this.analysis, new Set(missing));
    this.waitsFor = [...new Set(awaited.map(({ name }) => name))];
    const awaitedAt = new Set(awaited.map(({ span }) => span.start));
    // Where nothing is written yet, nothing is wrong; and nobody is blamed for a cell above that has no value.
    const problems = this.analysis.problems.filter(
      ({ code, span }) => cell.text.trim() !== "" && !(code === "name/unknown" && awaitedAt.has(span.start)),
    );
    const fixes = new Map(
      quickFixes(this.analysis, 0, cell.text.length).map((fix) => [fix.problem, fix] as const),
    );
    this.problems = problems.map((each) => this.problemOf(each, fixes.get(each)));
    const external = new Set(
      externalNames(this.analysis, new Set(inputs.keys())).map(({ span }) => span.start),
    );
    const coloured = colouredTokens(this.analysis).slice(0, mostTokens);
    this.tokens = coloured.map(({ start, length, kind }) => ({
      ...{ start, length },
      kind: external.has(start) ? "input" : kind,
    }));
    this.inlays = inlayTypes(this.analysis).slice(0, mostTokens);
  }

  /** Whether the cell would be read the same of another input. */
  isFor(input: CellInput): boolean {
    return this.key === keyOf(input);
  }

  /** The program of a cell that has been compiled. */
  get compiled(): Program | undefined {
    return this.program;
  }

  /** @throws SphexError where the text is no program. */
  compile(): Program {
    const { cell } = this.input;
    this.program ??= (cell.kind === "program" ? compile : compileExpression)(cell.text, this.options);
    return this.program;
  }

  private get options(): Options {
    const { inputs, dialect } = this.input;
    const types = [...inputs].map(([name, { type }]) => [name, type] as const);
    return { dialect, inputs: Object.fromEntries(types), limits, name: "cell", clock };
  }

  private problemOf(each: Problem, fix: QuickFix | undefined): PageProblem {
    const problem = pageProblem(each, fix === undefined ? [] : [pageFix(fix)]);
    return this.input.cell.kind === "expression" ? { ...problem, ...this.amongCells(each) } : problem;
  }

  /** What is said otherwise of cells: none defines a name by its text, or declares an input, since names are those of cells. */
  private amongCells(each: Problem): Partial<PageProblem> {
    if (each.code === "name/unknown" && each.description.replacement === undefined)
      return { expected: "the name of a cell above", hint: this.hintFor(each.values.name) };
    const { text } = this.input.cell;
    if (each.code.startsWith("syntax/") && statementCount(text) > 1) return { hint: severalStatements };
    const before = text.slice(0, each.span.start);
    const name = each.code === "syntax/equals" ? /^\s*([A-Za-z_]\w*)\s*$/.exec(before)?.[1] : undefined;
    if (name === undefined) return {};
    return {
      hint: `to define ${name}, write it in front of the cell, and here its value; to compare, write ==`,
    };
  }

  private hintFor(name: string): string {
    return this.input.below.includes(name)
      ? `${name} is a cell below: move it above this one`
      : `give a cell above the name ${name}`;
  }
}

const severalStatements =
  "these are several statements: Program, above the cells, makes one program of the page";

const formOf = ({ kind }: RunnableCell): "program" | "expression" =>
  kind === "program" ? kind : "expression";

const pageFix = ({ title, edits }: QuickFix): PageFix => ({
  title,
  edits: edits.map(({ span, text }) => ({ start: span.start, end: span.end, text })),
});

/** All that a cell is read by. */
const keyOf = ({ cell, dialect, inputs, missing, below }: CellInput): string =>
  JSON.stringify([
    ...[cell.kind, cell.text, dialect, missing, below],
    [...inputs].map(([name, { type }]) => [name, `${type}`]),
  ]);
