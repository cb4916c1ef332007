import type { Backend } from "../backends/backend.js";
import type { BackendName } from "../backends/backends.js";
import type { Clock, Limits } from "../backends/meter.js";
import { readType } from "../formats/literal.js";
import type { Dialect } from "../language/check/dialect.js";
import type { Model } from "../language/check/models/models.js";
import { featureName } from "../language/check/names.js";
import { requireText } from "../language/source/arguments.js";
import { SphexError } from "../language/source/problem.js";
import { defaultNesting, type Parsed, parseExpression, parseTypeText } from "../language/syntax/parse.js";
import { TensorType } from "../language/types/type.js";
import { requireType } from "../language/values/arguments.js";
import { spanOfText } from "../language/values/messages.js";
import type { Tensor } from "../language/values/tensor.js";
import type { InputValue } from "./inputs/input-value.js";
import { problem } from "./messages.js";
import { TextCache } from "./text-cache.js";

/** Options of a program. */
export interface Options {
  /** `formalism`, the Paper's language with Vespa's additions, by default. */
  readonly dialect?: Dialect;
  /**
   * Types of inputs that the program's text does not declare: `{ "query(q)": "tensor<float>(x[3])" }`. The order of the
   * dimensions in a text is that of the axes of arrays that become the input; a type itself has them in canonical order.
   */
  readonly inputs?: Readonly<Record<string, TensorType | string>>;
  /** The name of the text in messages. */
  readonly name?: string;
  readonly limits?: ProgramLimits;
  /** Milliseconds since any fixed moment, such as `() => performance.now()`: the limit of time needs it. */
  readonly clock?: Clock;
  /** The text of a file that the program names. */
  readonly readFile?: (path: string) => string;
  /**
   * The bytes of one, for formats that are no text, such as `.npy`; without `readFile`, of texts too. The weights of a model stay in its
   * bytes, which must not be changed or transferred as long as the program is run.
   */
  readonly readBytes?: (path: string) => Uint8Array;
  /** Functions that programs may call beside those of the language, by name. */
  readonly functions?: Readonly<Record<string, HostFunction>>;
  /** Reads the models that a program names: `models` of `sphex/models`. Their files are read with `readBytes`. */
  readonly models?: ModelReader;
  /**
   * Whether problems in texts of files that a program names show what is in them, as an excerpt; true by default. A host
   * that runs programs of others for somebody to whom these files do not belong says false.
   */
  readonly showFileContents?: boolean;
  /** The next number of a uniform source from 0 up to 1, for `random`. A fixed sequence by default. */
  readonly random?: () => number;
  /**
   * What runs programs: one of the list `backends`, by name, or another. By default the engine; `closures` is the engine
   * without code made at run time, for places that forbid it; `reference` is the plain evaluator that all others agree with.
   */
  readonly backend?: BackendName | Backend;
  /** Whether the engine may replace expressions by equivalent ones; true by default. */
  readonly optimise?: boolean;
}

/** A function of the host that programs may call: `{ parameters: ["tensor(x[2])"], returns: "tensor()", call: (p) => … }`. */
export interface HostFunction {
  /** The types of its parameters. An argument is a tensor of that type, in memory of its own. */
  readonly parameters: readonly (TensorType | string)[];
  /** The type of its result. The order of the dimensions in a text is that of the axes of arrays that it returns. */
  readonly returns: TensorType | string;
  /**
   * Its result, as an input could be; or a promise of it, which asynchronous runs await. A call counts as 2,048 steps and one
   * for each cell of its arguments and its result, and the limit of time is looked at after each.
   */
  readonly call: (...values: Tensor[]) => InputValue | PromiseLike<InputValue>;
  /**
   * Whether equal arguments have equal results, so that equal calls may be one; false by default. Every other call that the
   * results of a run need is made once in it, in an order that depends on the program alone; none is made for a branch that is not
   * taken, or for a named value before somebody asks for it.
   */
  readonly pure?: boolean;
  /** A sentence, which editors show. */
  readonly description?: string;
}

/** The file of a model, and how files beside it are read. */
export interface ModelFile {
  /** The path that the program has; its end tells the format. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly readExternal?: (path: string) => Uint8Array;
}

/** Reads a model. @throws SphexError with what is wrong with the file. */
export type ModelReader = (file: ModelFile) => Model;

/** What a program may use while it is compiled, and each time that it runs, with the reading of its inputs. */
export interface ProgramLimits extends Limits {
  /** How deep brackets may nest; 1,000 by default. */
  readonly nesting?: number;
  /** How many calls of functions may be expanded; 100,000 by default. */
  readonly expansions?: number;
}

/** The limits where a host sets none. */
export const defaultLimits = {
  cells: 50_000_000,
  bytes: 2 ** 32,
  nesting: defaultNesting,
  expansions: 100_000,
} as const;

export function limitsOf({ limits }: Options): ProgramLimits & typeof defaultLimits {
  return { ...defaultLimits, ...limits } as ProgramLimits & typeof defaultLimits; // numbers either way
}

/**
 * A tensor type from its text, such as `tensor<float>(k{},x[3])`.
 * @throws SphexError where the text is none: with the position of what is not known, or is there twice.
 */
export function parseType(text: string): TensorType {
  requireText("parseType", text);
  return types.get(text);
}

const types = new TextCache((text) => unwrapped(readType({ name: "type", text })));

/** The value of a tensor of rank 0 without a cell (D5). */
export const emptyScalar = (dialect: Dialect | undefined): number => (dialect === "vespa" ? 0 : Number.NaN);

/** The tree of a text that must have no problems. */
export function unwrapped<T>({ tree, problems }: Parsed<T>): T {
  if (tree === undefined || problems.length > 0) throw new SphexError(problems);
  return tree;
}

/** The inputs that a host declares, by canonical name, and the axes of those that it declares in texts. */
export function declaredInputs({ inputs = {} }: Options): {
  readonly inputs: ReadonlyMap<string, TensorType>;
  readonly axes: ReadonlyMap<string, readonly string[]>;
} {
  const entries = [...byCanonicalName(inputs)];
  for (const [, type] of entries) requireType("options.inputs", type);
  return {
    inputs: new Map(
      entries.map(([name, type]) => [name, type instanceof TensorType ? type : parseType(type)]),
    ),
    axes: new Map(
      entries.flatMap(([name, type]) => (type instanceof TensorType ? [] : [[name, writtenAxes(type)]])),
    ),
  };
}

/**
 * What is given by the names of inputs, by their canonical names.
 * @throws SphexError where one is given twice, as `query(q)` and `$q`.
 */
export const byCanonicalName = <T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  entriesByCanonicalName(Object.entries(entries));

/** The same of pairs. */
export function entriesByCanonicalName<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  const named = new Map<string, T>();
  for (const [written, each] of entries) {
    const name = canonicalName(written);
    if (named.has(name))
      throw new SphexError([problem("input/repeated", spanOfText(written, written), { name, written })]);
    named.set(name, each);
  }
  return named;
}

/**
 * The dimensions of a type's text in the order in which they are written there: the axes of arrays, outermost first.
 * @throws SphexError where the text is no type.
 */
export function writtenAxes(type: string): readonly string[] {
  requireText("writtenAxes", type);
  return [...axes.get(type)];
}

const axes = new TextCache((text): readonly string[] =>
  unwrapped(parseTypeText({ name: "type", text })).dimensions.map(({ name }) => name.text),
);

/** The one name that inputs have: `$q` and `query( q )` are both `query(q)`. A text that is no expression stays as it is. */
export function canonicalName(name: string): string {
  requireText("canonicalName", name);
  return /^\w+$/.test(name) ? name : features.get(name);
}

const features = new TextCache((name) => {
  const { tree } = parseExpression({ name: "name", text: name });
  return tree?.kind === "reference" ? featureName(tree) : name;
});
