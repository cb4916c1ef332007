import type { Dialect } from "../../src/language/check/dialect.js";
import { type CheckedProgram, checkProgram } from "../../src/language/check/statements/program.js";
import type { HostOperation, Node } from "../../src/language/core/operations.js";
import { SphexError } from "../../src/language/source/problem.js";
import { parseProgram } from "../../src/language/syntax/parse.js";
import { TensorType } from "../../src/language/types/type.js";
import { element } from "../../src/language/values/element.js";
import { spanOfText } from "../../src/language/values/messages.js";
import { Tensor } from "../../src/language/values/tensor.js";
import type { InputValues } from "../../src/program/inputs/inputs.js";
import { problem } from "../../src/program/messages.js";
import { limitsOf, type Options } from "../../src/program/options.js";
import type { Prepared } from "../../src/program/prepared.js";
import { Program as Compiled } from "../../src/program/program.js";
import type { Results } from "../../src/program/runs/results.js";
import { lacksElements } from "../../src/program/unsized/sized-types.js";
import type { HostFunction } from "./builder.js";
import { changed } from "./in-time.js";
import { Endless } from "./memory.js";
import { nodesOf } from "./nodes.js";
import { runTypes, withFirstSizes, withSizes } from "./open-sizes.js";
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

/** A function of the host that returns one of its arguments, or the number of their cells. */
const operationOf = ({ name, type, parameters, returned, isPure }: HostFunction): HostOperation => ({
  name,
  parameters,
  returns: type,
  description: "One of the tensors, or how many cells they have.",
  isPure,
  call: (values, span) => {
    if (callsLeft-- <= 0)
      throw new SphexError([problem("function/failed", span, { name, reason: "it fails" })]);
    if (returned !== undefined) return element(values, returned);
    return Tensor.scalar(
      values.reduce((sum, { rows, blockCells }) => sum + rows * blockCells, 0),
      TensorType.scalar,
    );
  },
});

/** How many calls of hosts succeed before they fail. */
let callsLeft = Number.POSITIVE_INFINITY;

/** Runs with hosts that fail after so many calls. */
export function failing(calls: number, run: () => void): void {
  const undo = (): void => {
    callsLeft = Number.POSITIVE_INFINITY;
  };
  changed(undo, () => {
    callsLeft = calls;
    run();
  });
}

export const limits = { cells: 2_000_000 } as const;

/** A program that was checked once, to be run by many engines. */
export class Subject {
  private engine: Compiled | undefined;

  private constructor(
    readonly program: Program,
    readonly checked: CheckedProgram,
    readonly dialect: Dialect,
    /** The program as it was written, where it had to wait for sizes. */
    readonly unsized?: Program,
  ) {}

  /**
   * What a program means, and where it waits for the sizes of inputs, what it means for those of the first run.
   * @throws SphexError with the errors of the program, and where its inputs do not decide all sizes.
   */
  static of(program: Program): Subject {
    const subject = Subject.checked(program);
    if (subject.checked.waiting === undefined) return subject;
    const empty = program.inputs.flatMap(({ name, values: [first] }) => (lacksElements(first) ? [name] : []));
    const refused = problem("program/unsized", spanOfText("program", ""), { missing: [], empty });
    // The library refuses these, too: there are no elements, or a default has open sizes.
    if (empty.length > 0) throw new SphexError([refused]);
    const alike = Subject.checked(withFirstSizes(program), runTypes(program));
    const isSized = alike.checked.waiting === undefined;
    const { program: sized, checked, dialect } = isSized ? alike : Subject.checked(withSizes(program));
    if (checked.waiting !== undefined) throw new SphexError([refused]);
    return new Subject(sized, checked, dialect, program);
  }

  /** The same; nothing where the program has errors. */
  static ifSound(program: Program): Subject | undefined {
    try {
      return Subject.of(program);
    } catch (error) {
      if (error instanceof SphexError) return undefined;
      throw error;
    }
  }

  private static checked(program: Program, types?: ReadonlyMap<string, TensorType>): Subject {
    const source = { name: "program", text: sourceOf(program) };
    const { nesting, cells, expansions } = limitsOf({});
    const { tree, problems } = parseProgram(source, nesting);
    if (problems.length > 0) throw new SphexError(problems);
    const inputs = new Map(program.inputs.map(({ name, type }): [string, TensorType] => [name, type]));
    const functions = new Map(program.hosts.map((each) => [each.name, operationOf(each)]));
    const checkedIn = (dialect: Dialect): CheckedProgram =>
      checkProgram(tree ?? { statements: [] }, {
        dialect,
        cells,
        expansions,
        inputs,
        functions,
        runTypes: types,
      });
    const first = checkedIn(program.dialect);
    const isSound = first.problems.every((each) => !each.isError);
    if (isSound) return new Subject(program, first, program.dialect);
    const checked = program.dialect === "formalism" ? first : checkedIn("formalism");
    const errors = checked.problems.filter((each) => each.isError);
    if (errors.length > 0) throw new SphexError(errors);
    return new Subject(program, checked, "formalism");
  }

  compiled(options: Options): Compiled {
    return new Compiled(this.checked, { limits, dialect: this.dialect, ...options });
  }

  /** Prepared for the engine; what all ways that prepare a program share is optimised once. */
  prepared(inputs: InputValues = {}): Prepared {
    this.engine ??= this.compiled({ backend: "engine" });
    return this.engine.prepare(inputs);
  }

  /** The results, the named values, which need be in none of them, and the defaults of inputs. */
  get roots(): readonly Node[] {
    const { results, values, declared } = this.checked;
    const defaults = [...declared.values()].flatMap(({ value }) => (value === undefined ? [] : [value]));
    return [...results.map(({ node }) => node), ...values.values(), ...defaults];
  }

  /** Whether random numbers are drawn. */
  get isRandom(): boolean {
    return nodesOf(this.roots).some(({ node }) => node.op === "random");
  }

  /** What a session gives variable and persistent tensors. */
  get assigned(): Record<string, Tensor> {
    return Object.fromEntries(
      this.program.definitions.flatMap(({ name, assigned }) =>
        assigned === undefined ? [] : [[name, assigned]],
      ),
    );
  }

  /** All results of a run, and then the named values. */
  values(compiled: Compiled, run: Run): readonly Tensor[] {
    const { results, value } =
      run === "assigned" ? this.assignedRun(compiled) : compiled.runAll(this.inputs(run));
    return [...results, ...[...compiled.values.keys()].map(value)];
  }

  private assignedRun(compiled: Compiled): Results {
    const session = compiled.session();
    session.assign(this.assigned);
    return session.runAll(this.inputs("assigned"));
  }

  /** The inputs of another run of a program that waits for their sizes. */
  get inputsOfOtherSizes(): Record<string, Tensor> {
    return Object.fromEntries((this.unsized?.inputs ?? []).map(({ name, values }) => [name, values[1]]));
  }

  /** The inputs of a run: the first, one of another layout, or one of the same layout. */
  inputs(run: Run): Record<string, Tensor> {
    const { inputs } = this.program;
    if (run === "lacking")
      return Object.fromEntries(inputs.slice(1).map(({ name, values }) => [name, values[0]]));
    return Object.fromEntries(inputs.map(({ name, values }) => [name, values[valueIndexOf(run)]]));
  }
}

/**
 * A run has the first value of each input, or one of another layout, or one of the same layout; or it has the first ones
 * but lacks an input, or has a session's values for what a session keeps.
 */
export type Run = 0 | 1 | 2 | "lacking" | "assigned";

/** Which value of each input a run has. */
export const valueIndexOf = (run: Run): 0 | 1 | 2 => (typeof run === "number" ? run : 0);

/** What one run of a way gave: on which inputs, and what came of it. */
export interface Answer {
  readonly run: Run;
  readonly outcome: Outcome;
}
