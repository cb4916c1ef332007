import { namedPortType, typedSignature } from "../language/check/models/models.js";
import { aggregatorNames, aggregators } from "../language/scalar/aggregators.js";
import { clip } from "../language/source/columns.js";
import { type Span, textIn } from "../language/source/span.js";
import { rootOf } from "../language/syntax/parts.js";
import type { Reference } from "../language/syntax/tree.js";
import { type Analysis, holds } from "./analysis.js";
import { remarkAbove } from "./comments.js";
import type { NamedSymbol, Occurrence } from "./symbols.js";

/** What is shown of the word or expression under a pointer. */
export interface Hover {
  readonly span: Span;
  /** A line of the language: `a: tensor(x[3])`, or the signature of a function. */
  readonly code: string;
  /** Sentences about it, in plain text. */
  readonly remarks: readonly string[];
}

/** What stands at an offset: a name, a function of the language, or else the innermost expression that has a type. */
export function hoverAt(analysis: Analysis, offset: number): Hover | undefined {
  const occurrence = analysis.symbols.at(offset);
  if (occurrence !== undefined) return ofSymbol(analysis, occurrence);
  const expressions = analysis.expressionsAt(offset);
  const called = expressions.findLast(
    (each): each is Reference => each.kind === "reference" && holds(each.name.span, offset),
  );
  const builtIn = called && ofFunction(analysis, called);
  if (builtIn !== undefined) return builtIn;
  const aggregator = called && ofAggregator(analysis, called);
  if (aggregator !== undefined) return aggregator;
  const typed = expressions.findLast((each) => analysis.typeOf(each) !== undefined);
  const found = typed && analysis.typeOf(typed);
  if (typed === undefined || found === undefined) return undefined;
  return { span: typed.span, code: `${found.type}`, remarks: forCall(found.call) };
}

function ofSymbol(analysis: Analysis, { symbol, span }: Occurrence): Hover {
  const remark = isOfProgram(symbol) ? remarkAbove(symbol.statement.span) : undefined;
  const remarks = remark === undefined ? [] : [remark];
  if (symbol.kind === "function") return { span, code: definitionText(symbol), remarks };
  const model = symbol.kind === "model" ? analysis.checked.models.get(symbol.name) : undefined;
  if (model !== undefined) {
    const outputs = model.outputs.map((each) => `.${each.name}: ${namedPortType(each)}`);
    return { span, code: typedSignature(symbol.name, model), remarks: [...remarks, ...outputs] };
  }
  const type = isOfProgram(symbol) ? analysis.typeNamed(symbol.name) : undefined;
  const local = isOfProgram(symbol) ? undefined : typeOfLocal(analysis, symbol, span);
  const shownType = type ?? local?.type;
  const typed = shownType === undefined ? symbol.name : `${symbol.name}: ${shownType}`;
  const kind = symbol.kind === "value" || symbol.kind === "parameter" ? "" : `${symbol.kind} `;
  return { span, code: kind + typed, remarks: [...remarks, ...forCall(local?.call)] };
}

/** A parameter has the type that its use has. */
function typeOfLocal(analysis: Analysis, symbol: NamedSymbol, at: Span) {
  const uses = analysis.symbols.occurrencesOf(symbol).map(({ span }) => span);
  for (const { start } of [at, ...uses]) {
    const use = analysis
      .expressionsAt(start)
      .findLast((each) => each.kind === "reference" && each.name.span.start === start);
    const found = use && analysis.typeOf(use);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofFunction(analysis: Analysis, called: Reference): Hover | undefined {
  const { name, arguments: list } = called;
  const described = list === undefined ? undefined : analysis.functions.get(name.text);
  if (described === undefined) return undefined;
  const { signature, description, example } = described;
  const found = analysis.typeOf(called);
  return {
    span: name.span,
    code: found === undefined ? signature : `${signature}: ${found.type}`,
    remarks: [
      description,
      ...(example === undefined ? [] : [`${example.call} is ${example.value}`]),
      ...forCall(found?.call),
    ],
  };
}

/** An aggregator that is an argument: `max` in `reduce(t, max, x)`, where no name is called so. */
function ofAggregator(analysis: Analysis, { name, arguments: list }: Reference): Hover | undefined {
  const found = aggregatorNames.find((each) => each === name.text);
  if (found === undefined || list !== undefined || analysis.symbols.program.has(found)) return undefined;
  return { span: name.span, code: found, remarks: [aggregators[found].description] };
}

const isOfProgram = ({ kind }: NamedSymbol): boolean => kind !== "parameter" && kind !== "index";

/** Of a body that has a type for a call only: which call. */
const forCall = (call: Span | undefined): readonly string[] =>
  call === undefined ? [] : [`in the call ${oneLine(textIn(call))}`];

/** The definition of a function, if it is short, or its beginning. */
function definitionText({ statement }: NamedSymbol): string {
  const { source, start } = statement.span;
  const { end } = rootOf(statement)?.span ?? statement.span;
  return oneLine(source.text.slice(start, end));
}

/** Columns. */
const longest = 200;

const oneLine = (text: string): string => clip(text.slice(0, 8 * longest).replaceAll(/\s+/g, " "), longest);
