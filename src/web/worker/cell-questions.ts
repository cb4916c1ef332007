import {
  canonicalName,
  escapeHidden,
  format,
  functionDescriptions,
  numberText,
  parseProgram,
  type Tensor,
} from "../../index.js";
import {
  type CompletionNames,
  completeExpression,
  definitionAt,
  externalNameAt,
  ProgramDocument,
} from "../../service/service.js";
import type {
  Completions,
  CursorRequest,
  Definition,
  PageCandidate,
  PageHover,
  PageSignature,
  TextRequest,
} from "../protocol.js";
import { writtenLabel } from "../share/label-literal.js";
import type { Notebook } from "./notebook.js";
import { labelsAlong } from "./table-view.js";

/** What the editor of a cell asks about its text, as it is at the moment. */
export class CellQuestions {
  private asked: { readonly key: string; readonly document: ProgramDocument } | undefined;

  constructor(private readonly notebook: Notebook) {}

  readonly complete = ({ id, text, offset }: CursorRequest): Completions => {
    const tensors = this.notebook.namesAbove(id);
    const found = this.notebook.isProgram(id)
      ? this.document({ id, text }).completion(offset)
      : completeExpression(text.slice(0, offset), {
          ...namesOf(tensors),
          dimensionsOf: (expression) =>
            tensors.get(canonicalName(expression))?.type.names ??
            this.document({ id, text: "" }).analysis.typeOfText(expression)?.names,
        });
    const candidates = found.candidates.map(({ text, kind }): PageCandidate => {
      const described = kind === "function" ? functionDescriptions().get(text.slice(0, -1)) : undefined;
      const type = kind === "value" ? tensors.get(text)?.type : undefined;
      return {
        ...{ text, kind },
        detail: described?.signature ?? (type === undefined ? undefined : escapeHidden(`${type}`)),
        description: described?.description,
      };
    });
    return { start: offset - found.word.length, candidates };
  };

  readonly hover = ({ id, text, offset }: CursorRequest): PageHover | undefined => {
    const tensors = this.notebook.namesAbove(id);
    const document = this.document({ id, text });
    const external = externalNameAt(document.analysis, new Set(tensors.keys()), offset);
    const tensor = external && tensors.get(external.name);
    if (external !== undefined && tensor !== undefined) {
      const { start, end } = external.span;
      return hoverOf(start, end, `${external.name}: ${tensor.type}`, [summaryOf(tensor)]);
    }
    const found = document.hover(offset);
    return found && hoverOf(found.span.start, found.span.end, found.code, found.remarks);
  };

  readonly signature = ({ id, text, offset }: CursorRequest): PageSignature | undefined =>
    this.document({ id, text }).signature(offset);

  readonly define = ({ id, text, offset }: CursorRequest): Definition | undefined => {
    const { analysis } = this.document({ id, text });
    const own = definitionAt(analysis, offset);
    if (own !== undefined) return { id, span: { start: own.start, end: own.end } };
    const external = externalNameAt(analysis, new Set(this.notebook.namesAbove(id).keys()), offset);
    const cell = external && this.notebook.definitionAbove(id, external.name);
    return cell === undefined ? undefined : { id: cell, span: undefined };
  };

  readonly format = ({ id, text }: TextRequest): string | undefined => {
    const source = { name: "cell", text };
    const { tree, problems } = parseProgram(source);
    // An expression in which a line break would end a statement has its own layout.
    const isExpression = tree?.statements.length === 1 && tree.statements[0]?.kind === "result";
    if (problems.length > 0 || !(isExpression || this.notebook.isProgram(id))) return undefined;
    const formatted = format(source);
    if (formatted.problems.some(({ isError }) => isError) || formatted.text === undefined) return undefined;
    return isExpression ? formatted.text.trimEnd() : formatted.text;
  };

  /** A cell as it is written; what is asked of one text after the other is found once. */
  private document({ id, text }: TextRequest): ProgramDocument {
    const types = [...this.notebook.namesAbove(id)].map(([name, { type }]) => [name, type] as const);
    const { dialect } = this.notebook;
    const form = this.notebook.isProgram(id) ? "program" : "expression";
    const key = JSON.stringify([text, dialect, form, types.map(([name, type]) => [name, `${type}`])]);
    if (this.asked?.key !== key) {
      const options = { dialect, inputs: Object.fromEntries(types) };
      this.asked = { key, document: new ProgramDocument("cell", text, options, form) };
    }
    return this.asked.document;
  }
}

const hoverOf = (start: number, end: number, code: string, remarks: readonly string[]): PageHover => ({
  ...{ start, end },
  code: escapeHidden(code),
  remarks: remarks.map((each) => escapeHidden(each)),
});

/** The names above a cell, with the dimensions and labels of their values. */
function namesOf(tensors: ReadonlyMap<string, Tensor>): CompletionNames {
  const dimensions = new Set([...tensors.values()].flatMap(({ type }) => type.names));
  return {
    values: [...tensors.keys()],
    functions: [],
    dimensions: [...dimensions].sort(),
    dimensionsOf: (name) => tensors.get(canonicalName(name))?.type.names,
    labels: (dimension) => [
      ...new Set(
        [...tensors.values()].flatMap((tensor) =>
          tensor.type.dimension(dimension) === undefined
            ? []
            : labelsAlong(tensor, dimension, mostLabels).map(writtenLabel),
        ),
      ),
    ],
  };
}

const mostLabels = 200;

/** The most cells that a summary shows as they are. */
const mostShown = 6;

function summaryOf(tensor: Tensor): string {
  const { type, data } = tensor;
  if (type.isScalar) return numberText(tensor.asNumber(), type.cellType);
  if (data.length <= mostShown) return `${tensor}`.slice(`${type}:`.length);
  return `${data.length.toLocaleString("en")} cells`;
}
