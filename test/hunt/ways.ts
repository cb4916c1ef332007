import { backends, defaultBackend } from "../../src/backends/backends.js";
import { reference } from "../../src/backends/reference/backend.js";
import { cellTypes } from "../../src/language/types/cell.js";
import { indexed, TensorType } from "../../src/language/types/type.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { backendProblems } from "../../src/program/chosen-backend.js";
import { compile } from "../../src/program/compile.js";
import type { InputValues } from "../../src/program/inputs.js";
import type { Options } from "../../src/program/options.js";
import type { Choice } from "./choice.js";
import { nearlyFull } from "./memory.js";
import { naively } from "./naive.js";
import { takingTurns } from "./pauses.js";
import type { Reference } from "./reference.js";
import { limits, type Outcome, outcomeOf, type Run, type Subject } from "./runs.js";

/** What one run of a way gave: on which inputs, and what came of it. */
export interface Answer {
  readonly run: Run;
  readonly outcome: Outcome;
}

/** A way to run a program. */
export interface Way {
  readonly name: string;
  /** One program of so many is run so. */
  readonly oneOf: number;
  /** Whether it gives the last result alone. */
  readonly isLast?: boolean;
  readonly answers: (subject: Subject, choice: Choice, reference: Reference) => readonly Answer[];
}

/** Runs a program on these inputs in turn, and asks for named values too. */
const runsOf = (subject: Subject, options: Options, runs: readonly Run[]): Answer[] => {
  const program = subject.compiled(options);
  return answersOf(runs, (run) => subject.values(program, run));
};

/** Runs on these inputs in turn; what came of each is read at the end, when later runs may have changed it. */
const inTurn = (
  subject: Subject,
  runs: readonly Run[],
  run: (inputs: Record<string, Tensor>) => readonly Tensor[],
): Answer[] => {
  return answersOf(runs, (each) => run(subject.inputs(each)));
};

const answersOf = (runs: readonly Run[], values: (run: Run) => readonly Tensor[]): Answer[] => {
  const outcomes = runs.map((each) => outcomeOf(() => values(each)));
  return outcomes.map((outcome, at) => ({ run: runs[at] ?? 0, outcome: read(outcome) }));
};

function missing(name: string): never {
  throw new Error(`no input ${name}`);
}

/** An outcome with its cells read: what cannot be read is a crash. */
const read = (outcome: Outcome): Outcome =>
  outcome.kind === "values" ? outcomeOf(() => outcome.values.map((value) => copyOf(value))) : outcome;

/** A tensor with cells of its own, or with these. */
const copyOf = ({ type, sizes, labels, data }: Tensor, cells: Tensor["data"] = data.slice()): Tensor =>
  new Tensor(type, sizes, labels, cells);

/** Backends that are compared with the reference, besides the one that all other ways run on. */
const otherBackends = backends.filter(({ name }) => name !== reference.name && name !== defaultBackend.name);

export const ways: readonly Way[] = [
  {
    name: "naively",
    oneOf: 10,
    answers: (subject, _, reference) => {
      if (subject.isRandom || subject.dialect === "vespa") return [];
      // It takes the square of the time that others take.
      if (subject.program.inputs.some(({ values }) => values[0].data.length > 300)) return [];
      if (!reference.isShort(0) || !reference.isShort(1)) return [];
      const { declared } = subject.checked;
      const roots = subject.checked.results.map(({ node }) => node);
      return inTurn(subject, [0, 1], (inputs) =>
        roots.map((node) =>
          naively(node, (name) => inputs[name] ?? declared.get(name)?.value ?? missing(name)),
        ),
      );
    },
  },
  ...otherBackends.map(
    (backend): Way => ({
      name: backend.name,
      oneOf: 3,
      answers: (subject) => {
        const cannot = backendProblems(subject.checked, { backend }).length > 0;
        return cannot ? [] : runsOf(subject, { backend }, [0, "lacking"]);
      },
    }),
  ),
  {
    name: "engine, layouts in turn",
    oneOf: 1,
    answers: (subject) => runsOf(subject, {}, [0, 1, 2, 0]),
  },
  {
    name: "engine, an input lacking",
    oneOf: 8,
    answers: (subject) => runsOf(subject, {}, ["lacking", 0, "lacking"]),
  },
  {
    name: "prepared, layouts in turn",
    oneOf: 4,
    answers: (subject) => {
      const prepared = subject.prepared();
      return inTurn(subject, [0, 2, 1, 0, 1], (inputs) => prepared.runAll(inputs));
    },
  },
  {
    name: "prepared, results disposed",
    oneOf: 12,
    answers: (subject) => {
      const prepared = subject.prepared();
      return inTurn(subject, [0, 2, 0, 1, 2], (inputs) => {
        const values = prepared.runAll(inputs);
        const copies = values.map((value) => copyOf(value));
        for (const value of values) value.dispose();
        return copies;
      });
    },
  },
  {
    name: "prepared, with fixed inputs",
    oneOf: 8,
    answers: (subject) => {
      const names = subject.program.inputs.map(({ name }) => name).filter((_, at) => at % 2 === 0);
      const fixed = Object.fromEntries(names.map((name) => [name, subject.inputs(0)[name] ?? 0]));
      const prepared = subject.prepared(fixed);
      return inTurn(subject, [0, 0, 2, 1, 0], (inputs) => prepared.runAll(inputs));
    },
  },
  {
    name: "not optimised",
    oneOf: 4,
    answers: (subject) => runsOf(subject, { optimise: false }, [0, 2]),
  },
  {
    name: "once",
    isLast: true,
    oneOf: 6,
    answers: (subject) => {
      const program = subject.compiled({});
      return inTurn(subject, [0, 1], (inputs) => [program.runOnce(inputs)]);
    },
  },
  {
    name: "into an array",
    isLast: true,
    oneOf: 12,
    answers: (subject) => {
      const prepared = subject.prepared();
      return inTurn(subject, [0, 2, 1], (inputs) => {
        const last = prepared.runAll(inputs).at(-1);
        if (last === undefined) return [];
        const into = cellTypes[last.type.cellType].allocate(last.data.length);
        prepared.run(inputs, { into });
        return [copyOf(last, into)];
      });
    },
  },
  {
    // So often that loops go from the interpreter to code that is made.
    name: "engine, many times",
    oneOf: 40,
    answers: (subject) => {
      const program = subject.compiled({});
      const first = subject.inputs(0);
      for (let times = 0; times < 120; times++) outcomeOf(() => program.runAll(first).results);
      return inTurn(subject, [0, 1, 2, 1], (inputs) => program.runAll(inputs).results);
    },
  },
  {
    // So often that the machine makes better code of the code that is made.
    name: "prepared, many times",
    oneOf: 60,
    answers: (subject) => {
      const prepared = subject.prepared();
      return inTurn(subject, [0, 2, 0], (inputs) => {
        for (let times = 0; times < 250; times++) prepared.runAll(inputs);
        return prepared.runAll(inputs);
      });
    },
  },
  {
    name: "in a session",
    oneOf: 1,
    answers: (subject) => {
      if (Object.keys(subject.assigned).length === 0) return [];
      const session = subject.compiled({ backend: "engine" }).session();
      return answersOf([0, "assigned", 0, "assigned"], (run) => {
        if (run === "assigned") session.assign(subject.assigned);
        else session.reset();
        return session.runAll(subject.inputs(0)).results;
      });
    },
  },
  {
    name: "engine, paused in turn",
    oneOf: 6,
    answers: (subject, choice) => {
      const runs = [0, 1, 2, 0] as const;
      const outcomes = takingTurns(subject, runs, choice);
      return runs.map((run, at) => ({ run, outcome: read(outcomes[at] ?? missing("run")) }));
    },
  },
  {
    // With a limit, though it is not reached, each run is checked and counted.
    name: "prepared, with a limit",
    oneOf: 25,
    answers: (subject) => {
      const program = subject.compiled({ backend: "engine", limits: { ...limits, steps: 1e12 } });
      const prepared = program.prepare();
      return inTurn(subject, [0, 2, 1], (inputs) => prepared.runAll(inputs));
    },
  },
  {
    name: "memory nearly full",
    oneOf: 15,
    answers: (subject, choice) => nearlyFull(choice.between(3, 5), () => runsOf(subject, {}, [0, 1, 2])),
  },
  {
    name: "prepared, on arrays and numbers",
    oneOf: 15,
    answers: (subject) => {
      const prepared = subject.prepared();
      return inTurn(subject, [0, 2, 0], (inputs) => prepared.runAll(asArrays(inputs)));
    },
  },
  {
    // Large results stay in the memory of the engine, and are inputs where they lie.
    name: "on results of the engine",
    oneOf: 15,
    answers: (subject) => {
      const program = subject.compiled({ backend: "engine" });
      return inTurn(subject, [0, 2, 1], (inputs) => {
        const own = Object.entries(inputs).map(([name, tensor]): [string, Tensor] => [
          name,
          resultOf(tensor),
        ]);
        return program.runAll(Object.fromEntries(own)).results;
      });
    },
  },
  {
    name: "many at once",
    oneOf: 8,
    answers: (subject) => {
      const { inputs } = subject.program;
      if (inputs.length === 0) return [];
      const together = Object.fromEntries(
        inputs.map(({ name, values }) => [name, stacked(values[0], values[2])]),
      );
      const prepared = subject.prepared();
      const outcome = outcomeOf(() => [prepared.runBatch(batch, together)]);
      // Not everything can be computed for many at once.
      if (outcome.kind === "problems" && outcome.codes.startsWith("batch/")) return [];
      return ([0, 2] as const).map((run, at) => ({ run, outcome: read(item(outcome, at)) }));
    },
    isLast: true,
  },
];

/** The same tensor, as the engine computes it. */
function resultOf(tensor: Tensor): Tensor {
  const { type } = tensor;
  const text = `cell_cast(map(t, f(cell)(cell)), ${type.cellType})`;
  return compile(text, { inputs: { t: type }, optimise: false }).run({ t: tensor });
}

/** Dense tensors as the arrays of their cells, scalars as numbers. */
const asArrays = (inputs: Record<string, Tensor>): InputValues =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, tensor]) => {
      const { type } = tensor;
      if (type.isScalar) return [name, tensor.at(0)];
      return [name, type.isDense && type.isBound ? tensor.data.slice() : tensor];
    }),
  );

const batch = "batch";

/** Two tensors of one layout along a dimension of size 2. */
function stacked(one: Tensor, other: Tensor): Tensor {
  const { cellType, dimensions } = one.type;
  const type = TensorType.of(one.type.isScalar ? "double" : cellType, [...dimensions, indexed(batch, 2)]);
  const sizes = type.indexed.map(({ name }) => (name === batch ? 2 : sizeOf(one, name)));
  const cells = cellTypes[type.cellType].allocate(one.data.length * 2);
  const whole = new Tensor(type, sizes, one.labels, cells);
  for (const [at, tensor] of [one, other].entries())
    for (const [cell, position] of positionsOf(whole, at).entries()) cells[position] = tensor.data[cell] ?? 0;
  return whole;
}

/** What came of one of many. */
function item(outcome: Outcome, at: number): Outcome {
  if (outcome.kind !== "values") return outcome;
  return outcomeOf(() =>
    outcome.values.map((whole) => {
      const dimensions = whole.type.dimensions.filter(({ name }) => name !== batch);
      const type = TensorType.of(dimensions.length === 0 ? "double" : whole.type.cellType, dimensions);
      const positions = positionsOf(whole, at);
      const cells = cellTypes[type.cellType].allocate(positions.length);
      for (const [cell, position] of positions.entries()) cells[cell] = whole.data[position] ?? 0;
      const sizes = type.indexed.map(({ name }) => sizeOf(whole, name));
      return new Tensor(type, sizes, whole.labels, cells);
    }),
  );
}

const sizeOf = ({ type, sizes }: Tensor, name: string): number =>
  sizes[type.indexed.findIndex((each) => each.name === name)] ?? 0;

/** Where the cells of one of many lie, in their order. */
function positionsOf({ type, sizes, rows, blockCells }: Tensor, at: number): readonly number[] {
  const axis = type.indexed.findIndex(({ name }) => name === batch);
  const below = sizes.slice(axis + 1).reduce((product, size) => product * size, 1);
  const positions = Array.from({ length: rows * blockCells }, (_, position) => position);
  return positions.filter((position) => Math.floor(position / below) % (sizes[axis] ?? 1) === at);
}
