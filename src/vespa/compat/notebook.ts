import {
  canonicalName,
  compileExpression,
  isProblem,
  type Problem,
  parseProgram,
  type Source,
  type Span,
  SphexError,
} from "../../index.js";
import { append } from "../../language/source/lists.js";
import { parseExpression } from "../../language/syntax/parse.js";
import { element } from "../../language/values/element.js";
import { problem } from "./messages.js";
import { type Cell, type Formula, frameOf, readFrame } from "./playground.js";

/**
 * Programs of the playground as programs of ours, and back. A named cell is a named value, or an input with a value where
 * its name is that of a feature; what has lines or comments of its own stands in parentheses. A remark is lines of comment. What
 * can be none of these, such as a text that is no expression, is what `otherwise` says, or is kept in a comment of one line that
 * begins with `#@`. Reading what was written gives the same cells, unless it is said otherwise.
 */
export function notebookText(
  cells: readonly Cell[],
  otherwise: (cell: Cell) => string | undefined = () => undefined,
): string {
  const blocks = cells.map(
    (cell) => formOf(cell) ?? otherwise(cell) ?? `#@ ${JSON.stringify(frameOf(cell))}`,
  );
  return blocks
    .map((block, at) => {
      const isApart = at > 0 && [cells[at - 1], cells[at]].some((each) => each?.kind === "remark");
      const isAfterRemark = cells[at - 1]?.kind === "remark" && cells[at]?.kind === "formula";
      return `${isApart && !isAfterRemark ? "\n" : ""}${block}\n`;
    })
    .join("");
}

/** A cell in the first form that says just it. */
function formOf(cell: Cell): string | undefined {
  const forms = cell.kind === "remark" ? [commentText(cell.text)] : formulaForms(cell);
  const frame = JSON.stringify([frameOf(cell)]);
  return forms.find((form) => JSON.stringify(readBack(form)?.map(frameOf)) === frame);
}

const commentText = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "#" : `# ${line}`))
    .join("\n");

function formulaForms({ name, expression }: Formula): readonly string[] {
  // Within parentheses lines may end, and begin with comments, as they may in a cell.
  const texts = [expression, `(${expression}\n)`];
  if (name === "") return texts;
  return texts.flatMap((text) => [`${name} = ${text}`, `input ${name} = ${text}`]);
}

function readBack(text: string): readonly Cell[] | undefined {
  try {
    return positionedCells({ name: "cell", text }, new Map()).map(({ cell }) => cell);
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

/** Texts of values, by canonical name. */
export type InputTexts = ReadonlyMap<string, string>;

/**
 * The cells that a program is, with values for inputs that have none. A value for what the program does not declare is a
 * cell in front of the others. Lines of comment that begin with `#>` tell results, and are left out.
 * @throws SphexError with all that the playground has nothing for.
 */
export function notebookCells(source: Source, inputs: InputTexts = new Map()): readonly Cell[] {
  const all = positionedCells(source, inputs);
  const problems = orderProblems(all, source);
  if (problems.length > 0) throw new SphexError(problems);
  return all.map(({ cell }) => cell);
}

/** A cell, and where its expression starts in a program. */
interface PositionedCell {
  readonly cell: Cell;
  readonly start?: number;
}

function positionedCells(source: Source, inputs: InputTexts): readonly PositionedCell[] {
  const { tree, problems } = parseProgram(source);
  if (tree === undefined || problems.length > 0) throw new SphexError(problems);
  const { text } = source;
  const called = constantsCalled(text);
  const found: PositionedCell[] = [];
  const faults: Problem[] = [];
  let gapStart = 0;
  for (const statement of tree.statements) {
    const { start, end } = statement.span;
    const part = cellOf(statement, text, inputs, called);
    append(found, remarks(text.slice(gapStart, start), gapStart === 0, source));
    if (isProblem(part)) faults.push(part);
    else found.push(part);
    gapStart = end;
  }
  append(found, remarks(text.slice(gapStart), gapStart === 0, source));
  if (faults.length > 0) throw new SphexError(faults);
  const declared = tree.statements.flatMap((each) =>
    each.kind === "declaration" ? [nameIn(each, text)] : [],
  );
  const declaredNames = new Set(declared);
  const added = [...inputs].filter(([name]) => !declaredNames.has(canonicalName(name)));
  return [...added.map(([name, expression]) => formulaCell(name, expression)), ...found];
}

type ProgramStatement = NonNullable<ReturnType<typeof parseProgram>["tree"]>["statements"][number];
type ValueDeclaration = Extract<ProgramStatement, { kind: "declaration" }>;

/** The cell that a statement is, or why it cannot be one. */
function cellOf(
  statement: ProgramStatement,
  text: string,
  values: InputTexts,
  called: ReadonlySet<string>,
): PositionedCell | Problem {
  if (statement.kind === "result")
    return formulaCell("", wording(statement.expression, text), statement.expression);
  if (statement.kind === "definition") {
    const { name, parameters, body } = statement;
    if (parameters !== undefined) return problem("playground/function", name.span, { name: name.text });
    return formulaCell(name.text, wording(body, text), body);
  }
  if (statement.kind !== "declaration") return problem("playground/statement", statement.span, {});
  const { role, name, value } = statement;
  const written = wording(name, text);
  // A constant `k` may be read as `k` or `constant(k)`; the playground knows it by one name.
  const cellName = role === "constant" && called.has(written) ? `constant(${written})` : written;
  const override = values.get(nameIn(statement, text));
  if (override !== undefined) return formulaCell(cellName, override);
  if (value === undefined) return problem("playground/input", name.span, { name: written });
  const isFile =
    value.kind === "reference" && value.name.text === "file" && value.arguments?.[0]?.kind === "text";
  return isFile
    ? problem("playground/file", value.span, {})
    : formulaCell(cellName, wording(value, text), value);
}

function formulaCell(name: string, text: string, node?: { readonly span: Span }): PositionedCell {
  const inner = node === undefined ? undefined : withinParentheses(text);
  const cell = { kind: "formula", name, expression: inner ?? text } as const;
  return node === undefined ? { cell } : { cell, start: node.span.start + (inner === undefined ? 0 : 1) };
}

/** The expression between parentheses of which the second stands in a line of its own. */
function withinParentheses(text: string): string | undefined {
  const [, inner] = /^\((.*)\n\)$/s.exec(text) ?? [];
  return inner !== undefined && parseExpression({ name: "cell", text: inner }).problems.length === 0
    ? inner
    : undefined;
}

const wording = ({ span }: { readonly span: Span }, text: string): string => text.slice(span.start, span.end);
const nameIn = ({ name }: ValueDeclaration, text: string): string => canonicalName(wording(name, text));

/** The names `k` that a text reads as `constant(k)`. */
function constantsCalled(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/\bconstant\s*\(\s*(\w+)\s*\)/g), ([, name = ""]) => name));
}

/** The remarks in what lies between two statements. Lines that follow each other are one. */
function remarks(gap: string, isFirst: boolean, source: Source): readonly PositionedCell[] {
  const found: PositionedCell[] = [];
  let lines: string[] = [];
  const end = (): void => {
    if (lines.length > 0) found.push({ cell: { kind: "remark", text: lines.join("\n") } });
    lines = [];
  };
  for (const [at, line] of gap.split(/\r\n|\n|\r/).entries()) {
    const [, mark = "", text] = /^[\s;]*?(#|\/\/)(.*)$/s.exec(line) ?? [];
    const isScript = isFirst && at === 0 && line.startsWith("#!");
    if (text === undefined || isScript || (mark === "#" && /^[@>]/.test(text))) end();
    if (text === undefined || isScript || (mark === "#" && text.startsWith(">"))) continue;
    if (mark === "#" && text.startsWith("@")) append(found, framedCells(text.slice(1), source));
    else lines.push(text.replace(/^ /, ""));
  }
  end();
  return found;
}

/** The cell in a comment that begins with `#@`. */
function framedCells(text: string, source: Source): readonly PositionedCell[] {
  const cells = readFrame({ name: source.name, text }, "the cell behind #@");
  return cells.map((cell) => ({ cell }));
}

/** Names that are used above their definition: a program may, and cells may not. */
function orderProblems(all: readonly PositionedCell[], source: Source): readonly Problem[] {
  const types = new TypesByWord();
  const problems: Problem[] = [];
  const names = all.map(({ cell }) => (cell.kind === "formula" ? canonicalName(cell.name) : ""));
  const lastAt = new Map(names.map((name, at) => [name, at]));
  for (const [at, { cell, start }] of all.entries()) {
    if (cell.kind === "remark") continue;
    try {
      const { results } = compileExpression(cell.expression, { inputs: types.in(cell.expression) });
      if (cell.name !== "") types.set(element(names, at), `${results[0]?.type}`);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      for (const { code, values, span } of error.problems) {
        if (code !== "name/unknown" || start === undefined) continue;
        if ((lastAt.get(values.name) ?? at) <= at) continue;
        const position = { source, start: start + span.start, end: start + span.end };
        problems.push(problem("playground/order", position, { name: values.name }));
      }
    }
  }
  return problems;
}

/** The types of cells by name; an expression is compiled with those alone whose names begin with one of its words. */
class TypesByWord {
  private readonly types = new Map<string, Map<string, string>>();

  set(name: string, type: string): void {
    const [word = ""] = wordsOf(name);
    this.types.set(word, (this.types.get(word) ?? new Map<string, string>()).set(name, type));
  }

  in(expression: string): Readonly<Record<string, string>> {
    const words = new Set(wordsOf(expression));
    return Object.fromEntries([...words].flatMap((word) => [...(this.types.get(word) ?? [])]));
  }
}

const wordsOf = (text: string): readonly string[] => text.match(/[\w@$]+/g) ?? [];
