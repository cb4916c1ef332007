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
import { problem } from "./messages.js";
import { type Cell, type Formula, frameOf, readFrame } from "./playground.js";

/**
 * Programs of the playground as programs of ours, and back. A named cell is a named value, or an input with a value where
 * its name is that of a feature; a remark is lines of comment; what can be neither, such as a text that is no expression,
 * is kept in a comment of one line that begins with `#@`. Reading what was written gives the same cells.
 */
export function sheetText(cells: readonly Cell[]): string {
  const blocks = cells.map(blockOf);
  return blocks
    .map((block, at) => {
      const isApart = at > 0 && [cells[at - 1], cells[at]].some((each) => each?.kind === "remark");
      const isAfterRemark = cells[at - 1]?.kind === "remark" && cells[at]?.kind === "formula";
      return `${isApart && !isAfterRemark ? "\n" : ""}${block}\n`;
    })
    .join("");
}

/** A cell in the first form that says just it. */
function blockOf(cell: Cell): string {
  const forms = cell.kind === "remark" ? [commentText(cell.text)] : formulaForms(cell);
  const wanted = JSON.stringify([frameOf(cell)]);
  const fitting = forms.find((form) => JSON.stringify(readBack(form)?.map(frameOf)) === wanted);
  return fitting ?? `#@ ${JSON.stringify(frameOf(cell))}`;
}

const commentText = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "#" : `# ${line}`))
    .join("\n");

function formulaForms({ name, expression }: Formula): readonly string[] {
  if (name === "") return [expression];
  return [`${name} = ${expression}`, `input ${name} = ${expression}`];
}

function readBack(text: string): readonly Cell[] | undefined {
  try {
    return parts({ name: "cell", text }, new Map()).map(({ cell }) => cell);
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

/** Texts of values, by canonical name. */
export type Given = ReadonlyMap<string, string>;

/**
 * The cells that a program is, with values for inputs that have none. A value for what the program does not declare is a
 * cell in front of the others. Lines of comment that begin with `#>` tell results, and are left out.
 * @throws SphexError with all that the playground has nothing for.
 */
export function sheetCells(source: Source, given: Given = new Map()): readonly Cell[] {
  const all = parts(source, given);
  const problems = misplaced(all, source);
  if (problems.length > 0) throw new SphexError(problems);
  return all.map(({ cell }) => cell);
}

/** A cell, and where its expression starts in a program. */
interface Part {
  readonly cell: Cell;
  readonly start?: number;
}

function parts(source: Source, given: Given): readonly Part[] {
  const { tree, problems } = parseProgram(source);
  if (tree === undefined || problems.length > 0) throw new SphexError(problems);
  const { text } = source;
  const found: Part[] = [];
  const faults: Problem[] = [];
  let behind = 0;
  for (const statement of tree.statements) {
    const { start, end } = statement.span;
    const part = partOf(statement, text, given);
    found.push(...remarks(text.slice(behind, start), behind === 0, source));
    if (isProblem(part)) faults.push(part);
    else found.push(part);
    behind = end;
  }
  found.push(...remarks(text.slice(behind), behind === 0, source));
  if (faults.length > 0) throw new SphexError(faults);
  const declared = tree.statements.flatMap((each) =>
    each.kind === "declaration" ? [nameIn(each, text)] : [],
  );
  const added = [...given].filter(([name]) => !declared.includes(canonicalName(name)));
  return [...added.map(([name, expression]) => partFor(name, expression)), ...found];
}

type Statement = NonNullable<ReturnType<typeof parseProgram>["tree"]>["statements"][number];
type Declaration = Extract<Statement, { kind: "declaration" }>;

/** The cell that a statement is, or why it cannot be one. */
function partOf(statement: Statement, text: string, values: Given): Part | Problem {
  if (statement.kind === "result")
    return partFor("", wording(statement.expression, text), statement.expression);
  if (statement.kind === "definition") {
    const { name, parameters, body } = statement;
    if (parameters !== undefined) return problem("playground/function", name.span, { name: name.text });
    return partFor(name.text, wording(body, text), body);
  }
  const { role, name, value } = statement;
  const written = wording(name, text);
  const known = role === "constant" ? constantName(written, text) : written;
  const given = values.get(nameIn(statement, text));
  if (given !== undefined) return partFor(known, given);
  if (value === undefined) return problem("playground/input", name.span, { name: written });
  const isFile =
    value.kind === "reference" && value.name.text === "file" && value.arguments?.[0]?.kind === "text";
  return isFile ? problem("playground/file", value.span, {}) : partFor(known, wording(value, text), value);
}

const partFor = (name: string, expression: string, place?: { readonly span: Span }): Part => {
  const cell = { kind: "formula", name, expression } as const;
  return place === undefined ? { cell } : { cell, start: place.span.start };
};

const wording = ({ span }: { readonly span: Span }, text: string): string => text.slice(span.start, span.end);
const nameIn = ({ name }: Declaration, text: string): string => canonicalName(wording(name, text));

/** A constant `k` may be read as `k` or `constant(k)`; the playground knows it by one name. */
function constantName(name: string, text: string): string {
  const isWord = /^\w+$/.test(name);
  return isWord && new RegExp(`\\bconstant\\s*\\(\\s*${name}\\s*\\)`).test(text) ? `constant(${name})` : name;
}

/** The remarks in what lies between two statements. Lines that follow each other are one. */
function remarks(gap: string, isFirst: boolean, source: Source): readonly Part[] {
  const found: Part[] = [];
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
    if (mark === "#" && text.startsWith("@")) found.push(...kept(text.slice(1), source));
    else lines.push(text.replace(/^ /, ""));
  }
  end();
  return found;
}

/** The cell in a comment that begins with `#@`. */
function kept(text: string, source: Source): readonly Part[] {
  const cells = readFrame({ name: source.name, text }, "the cell behind #@");
  return cells.map((cell) => ({ cell }));
}

/** Names that are used above their definition: a program may, and cells may not. */
function misplaced(all: readonly Part[], source: Source): readonly Problem[] {
  const types: [string, string][] = [];
  const problems: Problem[] = [];
  const names = all.map(({ cell }) => (cell.kind === "formula" ? canonicalName(cell.name) : ""));
  for (const [at, { cell, start }] of all.entries()) {
    if (cell.kind === "remark") continue;
    try {
      const { results } = compileExpression(cell.expression, { inputs: Object.fromEntries(types) });
      if (cell.name !== "") types.push([names[at] ?? "", `${results[0]?.type}`]);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      for (const { code, values, span } of error.problems) {
        if (code !== "name/unknown" || start === undefined || !names.includes(values.name, at + 1)) continue;
        const place = { source, start: start + span.start, end: start + span.end };
        problems.push(problem("playground/order", place, { name: values.name }));
      }
    }
  }
  return problems;
}
