import type { InputValue } from "../index.js";
import { compile, type Options, type Program, type RunOptions, SphexError, type Tensor } from "../index.js";
import { type CachedValues, readBy } from "./memory/cached-values.js";
import type { Definitions, LineProgram } from "./memory/definitions.js";
import type { SessionValues } from "./memory/values.js";

/** A line to be evaluated. */
export interface EvaluatedLine {
  readonly lineProgram: LineProgram;
  /** The line compiled as it is. */
  readonly program: Program;
  readonly inputs: Readonly<Record<string, InputValue>>;
  readonly definitions: Definitions;
  /** The names that the line defines. */
  readonly defined: ReadonlySet<string>;
}

/**
 * How a line is evaluated. Definitions that were computed before are inputs with their values, and those that are computed now are
 * results behind the line's own, so that they are known afterwards. The formulas stay what they are: this is another
 * program for the same values, and where there is none, or it fails, the line is run as it is.
 */
export interface Evaluation {
  readonly line: EvaluatedLine;
  readonly shortcut?: Shortcut;
}

interface Shortcut {
  readonly program: Program;
  readonly inputs: Readonly<Record<string, InputValue>>;
  /** The names whose values are the last results. */
  readonly computed: readonly string[];
}

/** The values of a line's expressions, and of definitions. */
export interface Evaluated {
  readonly results: readonly Tensor[];
  readonly computed: ReadonlyMap<string, Tensor>;
}

/** A definition with more cells than this is not stored unless it is asked for by its name. */
const mostCells = 1_000_000;

export function evaluationOf(
  line: EvaluatedLine,
  cached: CachedValues,
  options: Options,
  values: SessionValues,
): Evaluation {
  const { lineProgram, program, definitions, defined } = line;
  const { texts } = definitions;
  // Each draws its own numbers, in an order; a derivative goes through the formulas.
  if (/\b(?:random|gradient|jvp)\b/.test(lineProgram.text)) return { line };
  const names = [...readBy(lineProgram.lineText, texts)].filter((name) => definitions.isFormula(name));
  const stored = new Map<string, Tensor>();
  for (const name of names) {
    const value = defined.has(name) ? undefined : cached.get(name);
    if (value !== undefined) stored.set(name, value);
  }
  const computed = names.filter((name) => !stored.has(name) && isSmall(program, name));
  if (stored.size === 0 && computed.length === 0) return { line };
  const declared = (name: string): string | undefined => {
    const value = stored.get(name);
    return value && `input ${name}: ${value.type}`;
  };
  const text = [
    ...texts.flatMap(([name, text]) => (defined.has(name) ? [] : [declared(name) ?? text])),
    lineProgram.lineText,
    ...computed,
  ].join("\n;\n");
  try {
    const compiled = compile(text, { ...options, inputs: values.typesExcept(definitions) });
    const inputs = { ...values.valuesFor(compiled), ...Object.fromEntries(stored) };
    return { line, shortcut: { program: compiled, inputs, computed } };
  } catch (error) {
    if (error instanceof SphexError) return { line };
    throw error;
  }
}

function isSmall({ values }: Program, name: string): boolean {
  const type = values.get(name);
  if (type === undefined || type.dimensions.some(({ size }) => size === undefined)) return false;
  return type.dimensions.reduce((cells, { size = 1 }) => cells * size, 1) <= mostCells;
}

export function evaluated({ line, shortcut }: Evaluation): Evaluated {
  try {
    if (shortcut !== undefined) return divided(shortcut.program.runAll(shortcut.inputs).results, shortcut);
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
  }
  return divided(line.program.runAll(line.inputs).results);
}

/** As `evaluated`, asynchronously. @throws SphexError where it is cancelled. */
export async function evaluatedAsync(
  { line, shortcut }: Evaluation,
  options: RunOptions,
): Promise<Evaluated> {
  try {
    if (shortcut !== undefined)
      return divided((await shortcut.program.runAllAsync(shortcut.inputs, options)).results, shortcut);
  } catch (error) {
    if (!(error instanceof SphexError) || options.signal?.aborted === true) throw error;
  }
  return divided((await line.program.runAllAsync(line.inputs, options)).results);
}

/** The results of a line, and behind them those of names. */
function divided(results: readonly Tensor[], shortcut?: Shortcut): Evaluated {
  const names = shortcut?.computed ?? [];
  const count = results.length - names.length;
  const computed = new Map<string, Tensor>();
  for (const [at, value] of results.entries()) {
    const name = names[at - count];
    if (name !== undefined) computed.set(name, value);
  }
  return { results: results.slice(0, count), computed };
}
