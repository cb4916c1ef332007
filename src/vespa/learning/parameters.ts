import { readJson } from "../../formats/json/json.js";
import type { JsonValue } from "../../formats/json/value.js";
import { readLiteral } from "../../formats/literal.js";
import { nearest } from "../../language/source/nearest.js";
import { isProblem, type Problem, SphexError } from "../../language/source/problem.js";
import { type Span, textIn } from "../../language/source/span.js";
import { cellTypes } from "../../language/types/cell.js";
import type { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import { canonicalName } from "../../program/options.js";
import { constantValue } from "../package/expressions/constant-values.js";
import type { Constant, Input, Package, Profile } from "../package/model/model.js";
import type { InputOverrides } from "./input-overrides.js";
import { type ParameterFault, problem } from "./messages.js";
import { withNumbers } from "./written-numbers.js";

/** An input or a constant that is learnt: the numbers it begins with, and where these are written. */
export interface Parameter {
  /** Canonical: `query(w)`, `constant(bias)`. */
  readonly name: string;
  readonly initial: Tensor;
  readonly written: Span;
}

export interface ParameterOptions {
  /** The inputs and constants to learn; by default all that the phase uses and that have numbers. */
  readonly only?: readonly string[] | undefined;
}

/**
 * What is learnt of a phase that uses these inputs and constants, to which some numbers are given in place of their defaults.
 * @throws SphexError with what cannot be learnt and was asked for.
 */
export function parametersOf(
  profile: Profile,
  from: Package,
  used: readonly string[],
  overrideOf: InputOverrides,
  { only }: ParameterOptions,
): readonly Parameter[] {
  const faults: Problem[] = [];
  const names = only?.map(canonicalName) ?? used;
  const parameters: Parameter[] = [];
  for (const name of names) {
    const found = used.includes(name) ? parameterOf(name, profile, from, overrideOf) : "unknown";
    const fault = typeof found === "string" ? found : faultBeside(found, parameters);
    if (typeof found !== "string" && fault === undefined) parameters.push(found);
    // What was not asked for stays as it is; but of two that share their numbers nobody could say which are learnt.
    if (fault === undefined || (only === undefined && fault !== "shared")) continue;
    const isRequested = only !== undefined || typeof found === "string";
    const span = isRequested
      ? { source: { name: "--only", text: name }, start: 0, end: name.length }
      : found.written;
    const values = { name, fault, nearest: fault === "unknown" ? nearest(name, used) : undefined };
    faults.push(problem("learning/parameter", span, values));
  }
  if (faults.length > 0) throw new SphexError(faults);
  return parameters;
}

/** Why a parameter cannot be learnt together with others. */
function faultBeside({ written }: Parameter, others: readonly Parameter[]): ParameterFault | undefined {
  const isShared = others.some(
    ({ written: other }) => other.source.name === written.source.name && other.start === written.start,
  );
  return isShared ? "shared" : undefined;
}

function parameterOf(
  name: string,
  profile: Profile,
  from: Package,
  overrideOf: InputOverrides,
): Parameter | ParameterFault {
  const input = profile.inputs.get(name);
  const own = overrideOf(name);
  if (own?.isProperty === true) return "property";
  const constant = [...profile.constants.values()].find((each) => `constant(${each.name})` === name);
  const found =
    input === undefined
      ? constant && ofConstant(name, constant, from)
      : own === undefined
        ? ofInput(input)
        : ofQueryProfile(input, own.json);
  if (found === undefined) return input === undefined && constant === undefined ? "unknown" : "no number";
  const { type } = found.initial;
  if (!type.isDense) return "sparse";
  if (cellTypes[type.cellType].whole) return "whole";
  // A form in which numbers cannot be replaced is found before anything is learnt.
  return learntText(found, cellsOf(found.initial)) === undefined ? "form" : found;
}

function ofInput({ name, isString, default: initial, defaultSpan }: Input): Parameter | undefined {
  if (isString || initial === undefined || defaultSpan === undefined) return undefined;
  return { name, initial, written: defaultSpan };
}

/** A field such as `ranking.features.query(w)`, where the number stands in it. */
function ofQueryProfile({ name, type, isString }: Input, { span }: JsonValue): Parameter | undefined {
  const initial = isString ? undefined : tensorIn(textIn(span), type);
  return initial && { name, initial, written: span };
}

function ofConstant(name: string, constant: Constant, from: Package): Parameter | undefined {
  const initial = constantValue(constant, from);
  const { value } = constant;
  if (!(initial instanceof Tensor) || value === undefined) return undefined;
  if ("text" in value) return { name, initial, written: value.text };
  const source = from.load(value.file, value.span);
  if (isProblem(source)) return undefined;
  return { name, initial, written: { source, start: 0, end: source.text.length } };
}

/** The text of a parameter with learnt numbers; nothing where its form has no places for them. */
export function learntText({ initial, written }: Parameter, cells: ArrayLike<number>): string | undefined {
  return withNumbers(textIn(written), cells, (text) => tensorIn(text, initial.type));
}

/** The most cells of what is learnt. */
const cells = 100_000;

/** A value as schemas, query profiles and files of constants have it. */
function tensorIn(text: string, type: TensorType): Tensor | undefined {
  const trimmed = text.trim();
  if (type.isScalar && trimmed !== "" && !Number.isNaN(Number(trimmed)))
    return Tensor.scalar(Number(trimmed), type);
  const source = { name: "value", text };
  const literal = readLiteral(source, { type, empty: 0, cells });
  const { tree, problems } = literal.problems.length === 0 ? literal : readJson(source, type);
  return problems.length === 0 ? tree : undefined;
}

/** The cells of a tensor as numbers. */
export const cellsOf = (tensor: Tensor): Float64Array =>
  Float64Array.from({ length: tensor.data.length }, (_, at) => tensor.at(at));
