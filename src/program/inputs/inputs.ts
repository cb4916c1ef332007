import { Meter } from "../../backends/meter.js";
import { jsonSlices } from "../../formats/json/json.js";
import { readByGrammar, readQuickly } from "../../formats/literal.js";
import type { Dialect } from "../../language/check/dialect.js";
import { atOnce, type Slices } from "../../language/limits/slices.js";
import type { Spend } from "../../language/limits/spend.js";
import { textAsNumber } from "../../language/scalar/hash.js";
import { requireObject, requireText } from "../../language/source/arguments.js";
import { Suggestions } from "../../language/source/nearest.js";
import { SphexError } from "../../language/source/problem.js";
import type { Source } from "../../language/source/span.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { isAssignable } from "../../language/types/assignable.js";
import { TensorType } from "../../language/types/type.js";
import { requireType } from "../../language/values/arguments.js";
import type { TensorData } from "../../language/values/data/build.js";
import { kindOf, spanOfText } from "../../language/values/messages.js";
import { Tensor } from "../../language/values/tensor.js";
import { problem } from "../messages.js";
import {
  byCanonicalName,
  declaredInputs,
  emptyScalar,
  limitsOf,
  type Options,
  parseType,
  unwrapped,
  writtenAxes,
} from "../options.js";
import { fitted } from "./fitted.js";
import type { InputValue, InputValues } from "./input-value.js";
import { jsonObjectSlices, typedJsonSlices } from "./json-objects.js";
import { isClone, isForeign, isTransferable, transferredSlices } from "./transferred.js";

export type { InputValue, InputValues } from "./input-value.js";

/** Values by canonical name, each of the type that the options declare, or else of its own. */
export function inputTypes(
  inputs: InputValues,
  options: Options,
  meter = new Meter(limitsOf(options), options.clock),
): { types: Record<string, TensorType>; values: Record<string, Tensor> } {
  requireObject("inputs", inputs);
  const declared = declaredInputs(options);
  const values = Array.from(byCanonicalName(inputs), ([name, value]): [string, Tensor] => {
    const type = declared.inputs.get(name);
    const declaredType = type && { type, axes: declared.axes.get(name) };
    return [name, atOnce(meteredSlices(name, value, declaredType, options, meter))];
  });
  const types = values.map(([name, tensor]): [string, TensorType] => [name, tensor.type]);
  return { types: Object.fromEntries(types), values: Object.fromEntries(values) };
}

/**
 * A tensor from its text in the literal form: `tensor(x[2]):[1,2]`, or without the type where one is passed.
 * @throws SphexError where the text is not a tensor, or not one of the type.
 */
export function parseTensor(
  text: string,
  type?: TensorType | string,
  dialect: Dialect = "formalism",
): Tensor {
  requireText("parseTensor", text);
  if (type !== undefined) requireType("parseTensor", type);
  const declared =
    typeof type === "string" ? { type: parseType(type), axes: writtenAxes(type) } : type && { type };
  return tensorOf("tensor", text, declared, { dialect });
}

/** The type that an input is declared with, and the axes of arrays that become it: canonical order by default. */
export interface DeclaredType {
  readonly type: TensorType;
  readonly axes?: readonly string[] | undefined;
}

/** A value as a tensor of the declared type. */
export function tensorOf(
  name: string,
  value: InputValue,
  declared: DeclaredType | undefined,
  options: Options,
): Tensor {
  return atOnce(tensorSlices(name, value, declared, options));
}

/** As `tensorOf`, in slices between which other work may go on, and with the work told that a text takes. */
function* tensorSlices(
  name: string,
  value: InputValue,
  declared: DeclaredType | undefined,
  options: Options,
  spend?: Spend,
): Slices<Tensor> {
  const tensor = yield* tensorFrom(name, value, declared, options, spend);
  if (declared === undefined || tensor.type.equals(declared.type)) return tensor;
  if (isAssignable(tensor.type, declared.type)) return fitted(tensor, declared.type, limitsOf(options).cells);
  const values = { name, type: tensor.type, declared: declared.type };
  throw new SphexError([problem("input/type", spanOfText(name, `${tensor.type}`), values)]);
}

/** As `tensorSlices`, within the limits of a run: a step for each number of a text, and a look at the clock in each pause. */
export function* meteredSlices(
  name: string,
  value: InputValue,
  declared: DeclaredType | undefined,
  options: Options,
  meter: Meter,
): Slices<Tensor> {
  if (typeof value === "string") meter.store(2 * value.length, spanOfText(name, name));
  const slices = tensorSlices(name, value, declared, options, (work, span) => void meter.spend(work, span));
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
    meter.allowTime(spanOfText(name, name));
    yield;
  }
}

function* tensorFrom(
  name: string,
  value: InputValue,
  declared: DeclaredType | undefined,
  options: Options,
  spend: Spend | undefined,
): Slices<Tensor> {
  if (value instanceof Tensor) return value;
  if (isTransferable(value) || isClone(value)) return yield* transferredSlices(name, value);
  if (isForeign(value)) return yield* transferredSlices(name, value.toTransferable());
  if (typeof value === "number" || typeof value === "boolean")
    return Tensor.scalar(Number(value), TensorType.scalar);
  if (typeof value === "string") return yield* textSlices(name, value, declared, options, spend);
  if (isStringInput(value) && (declared === undefined || declared.type.isScalar)) {
    return Tensor.scalar(textAsNumber(value.string), TensorType.scalar);
  }
  const { cells } = limitsOf(options);
  if (typeof value === "object" && value !== null) {
    const tensor = yield* jsonObjectSlices(name, value, declared?.type, cells);
    if (tensor !== undefined) return tensor;
  }
  if (declared !== undefined && typeof value === "object" && value !== null) {
    const { type, axes } = declared;
    return yield* Tensor.slices(type, value as TensorData, axes && { axes }, cells); // or cells, or an array: it looks
  }
  throw new SphexError([problem("input/value", spanOfText(name, name), { name, found: kindOf(value) })]);
}

/** A literal; a text that is not one may be JSON, with the type unless one is declared. */
function* textSlices(
  name: string,
  text: string,
  declared: DeclaredType | undefined,
  options: Options,
  spend: Spend | undefined,
): Slices<Tensor> {
  const source: Source = { name, text };
  const { cells } = limitsOf(options);
  const request = { ...declared, empty: emptyScalar(options.dialect), cells, spend };
  const quick = yield* readQuickly(source, request);
  if (quick !== undefined) return quick;
  const json = yield* declared === undefined
    ? typedJsonSlices(source, cells)
    : jsonSlices(source, declared.type, { axes: declared.axes, cells });
  if (json?.tree !== undefined) return unwrapped(json);
  const literal = readByGrammar(source, request);
  return unwrapped(json !== undefined && isOnlyJson(literal, json) ? json : literal);
}

/** Whether a text that can be read neither way is JSON, but for what it says, and no literal in any way. */
function isOnlyJson(literal: Parsed<Tensor>, json: Parsed<Tensor>): boolean {
  const hasCode = ({ problems }: Parsed<Tensor>, start: string): boolean =>
    problems.some(({ code }) => code.startsWith(start));
  return hasCode(literal, "syntax/") && !hasCode(json, "json/syntax");
}

/** Callers without types may give anything. */
function isStringInput(value: unknown): value is { readonly string: string } {
  return typeof value === "object" && value !== null && "string" in value && typeof value.string === "string";
}

/** Rejects names that the program does not declare: a mistyped input must not be ignored. */
export function rejectUnknown(names: readonly string[], declared: readonly string[]): void {
  const declaredNames = new Set(declared);
  const unknown = names.filter((name) => !declaredNames.has(name));
  const suggestions = new Suggestions();
  const problems = unknown.map((name) => {
    const values = { name, nearest: suggestions.nearest(name, () => declared) };
    return problem("input/unknown", spanOfText(name, name), values);
  });
  if (problems.length > 0) throw new SphexError(problems);
}
