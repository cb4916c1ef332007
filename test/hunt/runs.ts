import { type CheckedProgram, checkProgram } from "../../src/language/check/program.js";
import { SphexError } from "../../src/language/source/problem.js";
import { parseProgram } from "../../src/language/syntax/parse.js";
import type { TensorType } from "../../src/language/types/type.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import { limitsOf, type Options } from "../../src/program/options.js";
import { Program as Compiled } from "../../src/program/program.js";
import type { Input } from "./builder.js";
import { Endless } from "./memory.js";
import { type Program, sourceOf } from "./program.js";

/** What came of a run: all results, the codes of its problems, or what no program may ever end with. */
export type Outcome =
  | { readonly kind: "values"; readonly values: readonly Tensor[] }
  | { readonly kind: "problems"; readonly codes: string }
  | { readonly kind: "crash"; readonly message: string }
  | { readonly kind: "endless"; readonly message: string };

export function outcomeOf(run: () => readonly Tensor[]): Outcome {
  try {
    return { kind: "values", values: run() };
  } catch (error) {
    if (error instanceof SphexError)
      return { kind: "problems", codes: error.problems.map(({ code }) => code).join() };
    if (error instanceof Endless) return { kind: "endless", message: error.message };
    const stack = error instanceof Error ? `${error.stack}` : `${error}`;
    return { kind: "crash", message: stack.split("\n").slice(0, 4).join(" ") };
  }
}

export const limits = { cells: 2_000_000 } as const;

/** A program that was checked once, to be run by many engines. */
export class Subject {
  private constructor(
    readonly program: Program,
    readonly checked: CheckedProgram,
  ) {}

  /** @throws SphexError with the errors of the program. */
  static of(program: Program): Subject {
    const source = { name: "program", text: sourceOf(program) };
    const { nesting, cells, expansions } = limitsOf({});
    const { tree, problems } = parseProgram(source, nesting);
    if (problems.length > 0) throw new SphexError(problems);
    const inputs = new Map(program.inputs.map(({ name, type }): [string, TensorType] => [name, type]));
    const checked = checkProgram(tree ?? { statements: [] }, {
      dialect: "formalism",
      cells,
      expansions,
      inputs,
    });
    const errors = checked.problems.filter((each) => each.isError);
    if (errors.length > 0) throw new SphexError(errors);
    return new Subject(program, checked);
  }

  compiled(options: Options): Compiled {
    return new Compiled(this.checked, { limits, ...options });
  }

  /** The inputs of a run: the first, one of another layout, or one of the same layout. */
  inputs(run: Run): Record<string, Tensor> {
    return Object.fromEntries(this.program.inputs.map((input) => [input.name, valueIn(input, run)]));
  }
}

export type Run = 0 | 1 | 2;

const valueIn = ({ values }: Input, run: Run): Tensor => values[run];
