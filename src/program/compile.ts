import { Meter } from "../backends/meter.js";
import type { Explanation } from "../inspect/provenance/explain.js";
import type { Why } from "../inspect/provenance/why.js";
import type { TypeObserver } from "../language/check/checker.js";
import { featureName } from "../language/check/names.js";
import type { CheckedProgram } from "../language/check/statements/program.js";
import { hintsOf } from "../language/check/statements/unused.js";
import { atOnce, type Slices, slice } from "../language/limits/slices.js";
import { requireText } from "../language/source/arguments.js";
import { type Problem, SphexError } from "../language/source/problem.js";
import type { Source } from "../language/source/span.js";
import { type ParsedText, parseText, programSlices } from "../language/syntax/parse.js";
import type { ProgramTree } from "../language/syntax/tree.js";
import type { Address } from "../language/values/address.js";
import type { Tensor } from "../language/values/tensor.js";
import type { InputsOf } from "./inputs/declared-inputs.js";
import { type InputValue, type InputValues, inputTypes } from "./inputs/inputs.js";
import { problem } from "./messages.js";
import { checkOptions } from "./option-rules.js";
import { limitsOf, type Options } from "./options.js";
import { Program } from "./program.js";
import { Evaluations, evaluationKey } from "./runs/evaluations.js";
import { Execution } from "./runs/execution.js";
import {
  byPosition,
  checkedSlices,
  checkParsed,
  expressionReader,
  type Parse,
  programReader,
  requireSound,
} from "./texts/checked-text.js";
import type { Extend } from "./training/training-program.js";
import { type SizedTypes, sizedOptions, withSizes } from "./unsized/sized-types.js";
import { UnsizedProgram } from "./unsized/unsized-program.js";

/**
 * Compiles a program: reads and checks its text. What it computes is optimised and planned in its first run; it may be run any number of
 * times. The time grows with the text, and with what its functions expand to.
 * @throws SphexError with all problems of the text, if one is an error.
 */
export function compile<const Text extends string>(
  text: Text,
  options?: Options & { readonly inputs?: never },
): Program<InputsOf<Text>>;
export function compile<Inputs extends object = InputValues>(
  text: string,
  options?: Options,
): Program<Inputs>;
export function compile(text: string, options: Options = {}): Program {
  requireText("compile", text);
  checkOptions(options);
  const source = { name: options.name ?? "program", text };
  return atOnce(compiledSlices(source, programReader(source, options), options));
}

/** As `compile`, in slices, each of some statements, whose options were checked. */
export function programSlicesOf(text: string, options: Options): Slices<Program> {
  const source = { name: options.name ?? "program", text };
  const parse: Parse = (spend) => programSlices(source, limitsOf(options).nesting, spend);
  return compiledSlices(source, parse, options);
}

/**
 * Compiles one expression, in which line breaks mean nothing.
 * @throws SphexError with all problems of the text, if one is an error.
 */
export function compileExpression<Inputs extends object = InputValues>(
  text: string,
  options?: Options,
): Program<Inputs>;
export function compileExpression(text: string, options: Options = {}): Program {
  requireText("compileExpression", text);
  checkOptions(options);
  const source = { name: options.name ?? "expression", text };
  return atOnce(compiledSlices(source, expressionReader(source, options), options));
}

/**
 * The value of one expression on these inputs, whose types are those of their values. The latest texts are kept compiled, a
 * hundred at most, for when they come again with inputs of the same types and equal options; not where the options have functions
 * or inputs are large. A text that comes for the first time and takes few cells is computed without a plan, by the reference, unless
 * the options choose a backend. Who evaluates a text often does better to compile it.
 * @throws SphexError with all problems of the text, of an input or of the run.
 */
export function evaluate(
  text: string,
  inputs: Readonly<Record<string, InputValue>> = {},
  options: Options = {},
): Tensor {
  requireText("evaluate", text);
  checkOptions(options);
  const meter = new Meter(limitsOf(options), options.clock);
  const { types, values } = inputTypes(inputs, options, meter);
  meter.pause();
  const typed = { ...options, inputs: { ...types, ...options.inputs } };
  const key = evaluationKey(text, values, options);
  const execution = (): Execution | undefined => expressionExecution(text, typed);
  const value =
    key === undefined
      ? execution()?.runOnce(values, meter).tensor
      : evaluations.value(key, execution, values, meter);
  return value ?? compileExpression(text, typed).runOnce(values);
}

const evaluations = new Evaluations();

/** An expression that can be run; nothing where the sizes of its inputs decide what it is. It calls no models: these are read by functions of the host. */
function expressionExecution(text: string, options: Options): Execution | undefined {
  const source = { name: options.name ?? "expression", text };
  const { checked, bytes } = checkParsed(source, expressionReader(source, options), options);
  requireSound(checked);
  return checked.waiting !== undefined ? undefined : new Execution(checked, options, bytes);
}

/**
 * How the value of one expression on these inputs comes about, whose types are those of their values.
 * @throws SphexError with all problems of the text, of an input or of the run.
 */
export function explain(
  text: string,
  inputs: Readonly<Record<string, InputValue>> = {},
  options: Options = {},
): Explanation {
  requireText("explain", text);
  const { program, values } = onInputs(text, inputs, options);
  return program.explain(values);
}

/** An expression on inputs whose types are those of their values. */
function onInputs(text: string, inputs: Readonly<Record<string, InputValue>>, options: Options) {
  checkOptions(options);
  const { types, values } = inputTypes(inputs, options);
  return {
    program: compileExpression(text, { ...options, inputs: { ...types, ...options.inputs } }),
    values,
  };
}

/**
 * One expression as an expression of the core functions alone; the options say the types of its inputs.
 * @throws SphexError with all problems of the text, or of what the core functions cannot say.
 */
export function expand(text: string, options: Options = {}): string {
  requireText("expand", text);
  return compileExpression(text, options).primitive();
}

/**
 * Which cells, by which operations, make a cell of the value of one expression.
 * @throws SphexError with all problems of the text, of an input or of the run, or of an address that the value does not have.
 */
export function why(
  text: string,
  address: Address = {},
  inputs: Readonly<Record<string, InputValue>> = {},
  options: Options = {},
): Why {
  requireText("why", text);
  const { program, values } = onInputs(text, inputs, options);
  return program.why(address, values);
}

/**
 * All problems of a program, its warnings and, where nothing is wrong, its hints among them, by position, without running it. A text
 * that is no program is told by a problem, too: nothing that is wrong with one is thrown.
 */
export function check(text: string, options: Options = {}): readonly Problem[] {
  requireText("check", text);
  checkOptions(options);
  const source = { name: options.name ?? "program", text };
  const { checked, tree } = checkParsed(source, programReader(source, options), options);
  const { problems } = checked;
  if (tree === undefined || problems.some((each) => each.isError)) return problems;
  return [...problems, ...hintsOf(tree)].sort(byPosition);
}

/** A program as an editor sees it: what could be read of it, and every problem. */
export interface ObservedProgram {
  readonly tree: ProgramTree;
  readonly checked: CheckedProgram;
  /** The words of a program; not those of one expression, whose lines have no ends. */
  readonly words: ProgramWords | undefined;
}

export type ProgramWords = Pick<ParsedText, "tokens" | "comments">;

/** Whether a text is a program, or one expression, in which line breaks mean nothing. */
export type TextForm = "program" | "expression";

/** Checks a text as `check` does, and hands each expression to the observer with its type. */
export function checkObserved(
  source: Source,
  options: Options,
  observe: TypeObserver,
  form: TextForm = "program",
): ObservedProgram {
  checkOptions(options);
  let words: ProgramWords | undefined;
  const program: Parse = (spend) =>
    slice(() => {
      const { tokens, comments, ...parsed } = parseText(source, limitsOf(options).nesting, spend);
      words = { tokens, comments };
      return parsed;
    });
  const reader = form === "expression" ? expressionReader(source, options) : program;
  const { checked, tree } = checkParsed(source, reader, options, observe);
  return { tree: tree ?? { statements: [] }, checked, words };
}

function* compiledSlices(
  source: Source,
  parse: Parse,
  options: Options,
  runTypes?: SizedTypes,
): Slices<Program> {
  const { checked, tree, bytes } = yield* checkedSlices(source, parse, options, { runTypes });
  requireSound(checked);
  const extended: Extend<Program> = (statements, called) => {
    refuseRedefined(tree, called);
    return compile(`${source.text}\n${statements}`, { ...options, name: source.name });
  };
  if (checked.waiting === undefined) return new Program(checked, options, bytes, extended);
  const compiledFor = (types: SizedTypes): Program => {
    const ofThese = atOnce(compiledSlices(source, parse, options, types));
    if (!(ofThese instanceof UnsizedProgram)) return ofThese;
    // Something still waits: all of the program is for inputs of these types, if they are those of all that has open sizes.
    const isDecided = [...checked.declared].every(([name, { type }]) => type.isBound || types.has(name));
    if (!isDecided) return ofThese;
    const sized: Parse = function* (spend) {
      const parsed = yield* parse(spend);
      const tree = parsed.tree && withSizes(parsed.tree, ({ name }) => featureName(name), types);
      return { ...parsed, tree };
    };
    return atOnce(compiledSlices(source, sized, sizedOptions(options, types)));
  };
  return new UnsizedProgram(compiledFor, source.name, checked, options, bytes, extended);
}

/** Statements that call a function of the language mean that one. */
function refuseRedefined(tree: ProgramTree | undefined, called: ReadonlySet<string>): void {
  const problems = (tree?.statements ?? []).flatMap((statement) =>
    statement.kind === "definition" && statement.parameters !== undefined && called.has(statement.name.text)
      ? [problem("train/function", statement.name.span, { name: statement.name.text })]
      : [],
  );
  if (problems.length > 0) throw new SphexError(problems);
}
