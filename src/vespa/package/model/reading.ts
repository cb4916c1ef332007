import { readType } from "../../../formats/literal.js";
import { append } from "../../../language/source/lists.js";
import { isProblem, type Problem, type Report } from "../../../language/source/problem.js";
import { type Source, type Span, textIn } from "../../../language/source/span.js";
import { type Parsed, parseExpression } from "../../../language/syntax/parse.js";
import { cellTypes } from "../../../language/types/cell.js";
import { TensorType } from "../../../language/types/type.js";
import { type Declaration, type ExpectedInSchema, problem as schemaProblem } from "../syntax/messages.js";
import type { Detail } from "../syntax/tree.js";
import { normal, type PackageFiles } from "./files.js";
import { problem } from "./messages.js";
import type { ExpressionText, InputType } from "./model.js";
import { trimmed } from "./text.js";

/** What all readers of a package share: its files, the problems so far, and how types and expressions are read. */
export class Reading {
  readonly problems: Problem[] = [];
  /** Texts with mistakes in their syntax: what seems to stand in a wrong place may only be in braces that are missing. */
  readonly mistaken = new Set<Source>();
  /** Names whose declarations could not be read, since this was last emptied. */
  private lost = new Set<string>();
  private readonly types = new Map<string, TensorType>();
  private readonly expressions = new Map<Source, ExpressionText>();

  constructor(readonly files: PackageFiles) {}

  readonly report: Report = (found) => void this.problems.push(found);

  /** Tells of a statement that cannot stand where it does. */
  unexpected({ keyword: { text, span } }: Detail, expected: ExpectedInSchema): undefined {
    this.report(schemaProblem("syntax/unexpected", span, { found: { kind: "token", text }, expected }));
  }

  /** Whether something in a span is wrong already, so that what is missing there may only be hidden. */
  isMistaken({ source, start, end }: Span): boolean {
    return this.problems.some(({ span }) => span.source === source && start <= span.start && span.end <= end);
  }

  /** Adds what was read under its name, which must be new; `span` is what tells of it. */
  declare<T extends { readonly span: Span }>(
    to: Map<string, T>,
    name: string,
    each: T,
    what: Declaration,
    span = each.span,
  ): void {
    // Names of fields are looked at with their fields.
    if (what !== "field") this.reportName(name.slice(name.lastIndexOf(" ") + 1), span);
    const first = to.get(name);
    if (first === undefined) return void to.set(name, each);
    const related = [{ span: first.span, label: "the first" }];
    this.report(problem("schema/duplicate", span, { what, name }, related));
  }

  /** Tells of a name that Vespa's parser of schemas does not read, although expressions have such: `a@b`, `a$b`, but not `a$`. */
  reportName(name: string, span: Span): void {
    if (/@|[\w.]\$./.test(name)) this.report(problem("schema/dashed-name", span, { name }));
  }

  lose(name: string): undefined {
    this.lost.add(name);
  }

  /** The names that were lost since this was last asked. */
  takeLost(): ReadonlySet<string> {
    const { lost } = this;
    this.lost = new Set();
    return lost;
  }

  /** What is read from a part of a file; nothing if there is a problem. */
  part<T>(span: Span, read: (source: Source) => Parsed<T>): T | undefined {
    const { tree, problems } = partOf(span, read);
    append(this.problems, problems);
    return problems.length > 0 ? undefined : tree;
  }

  /** The type of a tensor; its cells are of types that Vespa has. */
  tensorType(span: Span): TensorType | undefined {
    const type = this.part(span, readType);
    if (/^tensor(?!(?:<\w+>)?\()/.test(textIn(span))) this.report(problem("schema/type-space", span, {}));
    if (type !== undefined && !cellTypes[type.cellType].vespa)
      this.report(problem("schema/cells", span, { cells: type.cellType }));
    return type;
  }

  /** A type of an input or a constant; nothing written is a number. */
  type(span: Span | undefined): InputType | undefined {
    const text = span === undefined ? "" : textIn(span);
    if (span === undefined || numberTypes.has(text)) return { type: TensorType.scalar, isString: false };
    if (text === "string") return { type: TensorType.scalar, isString: true };
    const parsedType = this.types.get(text) ?? this.tensorType(span);
    if (parsedType === undefined) return undefined;
    this.types.set(text, parsedType);
    return { type: parsedType, isString: false };
  }

  /** An expression in a schema, which may name the file that it is in. */
  expression(span: Span): ExpressionText {
    const content = trimmed(span);
    const file = /^file\s*:\s*(\S+)$/.exec(textIn(content))?.[1];
    return file === undefined ? this.parsed(content) : this.expressionIn(file, content);
  }

  private parsed(span: Span): ExpressionText {
    const { tree, problems } = parseExpression(span.source, undefined, span);
    append(this.problems, problems);
    return { span, tree };
  }

  /** Expressions in files lie beside the schema, in its folder, or anywhere in the package. */
  private expressionIn(file: string, span: Span): ExpressionText {
    const path = this.files.pathOf(span.source);
    const folder = path.includes("/") ? path.replace(/\/[^/]*$/, "") : "";
    const own = path.replace(/\.\w+$/, "");
    if (normal(file) === undefined) {
      this.report(problem("package/outside", span, { path: file }));
      return { span, tree: undefined };
    }
    if (file.includes("/")) {
      this.report(problem("file/folder", span, { path: file }));
      return { span, tree: undefined };
    }
    const folders = [...new Set([folder, own, ""])].map((each) => (each === "" ? file : `${each}/${file}`));
    const paths = folders.flatMap((each) =>
      each.endsWith(".expression") ? [each] : [each, `${each}.expression`],
    );
    const loaded = paths.map((each) => this.files.load(each, span));
    const source = loaded.find((each) => !isProblem(each)) ?? loaded[0];
    if (source === undefined || isProblem(source)) {
      if (source !== undefined) this.problems.push(source);
      return { span, tree: undefined };
    }
    const expression =
      this.expressions.get(source) ?? this.parsed(trimmed({ source, start: 0, end: source.text.length }));
    this.expressions.set(source, expression);
    return expression;
  }
}

/** What Vespa takes for a number. */
const numberTypes = new Set(["double", "float", "long"]);

/** What is read from a part of a file by what reads whole texts; problems get their places in the file. */
export function partOf<T>(span: Span, read: (source: Source) => Parsed<T>): Parsed<T> {
  const { tree, problems } = read({ name: span.source.name, text: textIn(span) });
  const move = ({ start, end }: Span): Span => ({
    source: span.source,
    start: span.start + start,
    end: span.start + end,
  });
  return { tree, problems: problems.map((each) => each.moved(move)) };
}
