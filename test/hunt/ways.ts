import { backends, defaultBackend } from "../../src/backends/backends.js";
import { reference } from "../../src/backends/reference/backend.js";
import { cellTypes } from "../../src/language/types/cell.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { compile } from "../../src/program/compile.js";
import type { InputValues } from "../../src/program/inputs/inputs.js";
import type { Options } from "../../src/program/options.js";
import { backendProblems } from "../../src/program/runs/chosen-backend.js";
import { changingDefaults } from "../../src/program/runs/initial-values.js";
import { assigning } from "./assigning.js";
import { manyAtOnce } from "./batches.js";
import type { Choice } from "./choice.js";
import { answersOf, copyOf, inTurn, read } from "./in-turn.js";
import { withLargeKernels } from "./large-kernels.js";
import { nearlyFull } from "./memory.js";
import { naively } from "./naive.js";
import { numbersInLambdas } from "./numbers-in-lambdas.js";
import { takingTurns } from "./pauses.js";
import { type Answer, failing, limits, outcomeOf, type Run, type Subject } from "./runs.js";
import { fromText } from "./text/way.js";
import type { Way } from "./way.js";
import { waysWithOpenSizes } from "./ways-with-open-sizes.js";

/** Runs a program on these inputs in turn, and asks for named values too. */
const runsOf = (subject: Subject, options: Options, runs: readonly Run[]): Answer[] => {
  const program = subject.compiled(options);
  return answersOf(runs, (run) => subject.values(program, run));
};

function missing(name: string): never {
  throw new Error(`no input ${name}`);
}

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
  {
    name: "from the text",
    oneOf: 6,
    answers: fromText,
  },
  ...waysWithOpenSizes,
  {
    name: "with numbers in lambdas",
    oneOf: 2,
    answers: numbersInLambdas,
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
        const alone = cellTypes[last.type.cellType].allocate(last.data.length);
        prepared.runInto(alone, inputs);
        const isSame = copyOf(last, alone).equals(copyOf(last, into));
        return [copyOf(last, isSame ? into : alone)];
      });
    },
  },
  {
    name: "as a function",
    isLast: true,
    oneOf: 6,
    answers: (subject) => {
      const last = subject.checked.results.at(-1)?.node.type;
      const names = subject.program.inputs.map(({ name }) => name).reverse();
      // Without a name it is a function of the inputs that have defaults, too.
      if (last?.isScalar !== true || names.length === 0) return [];
      const call = subject.prepared().toFunction(...names);
      return inTurn(subject, [0, 2, 1, 0], (inputs) => [
        Tensor.scalar(call(...names.map((name) => inputs[name] ?? Number.NaN)), last),
      ]);
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
      // What begins by chance does so once in a session, before its runs.
      if (changingDefaults(subject.checked).length > 0) return [];
      const session = subject.compiled({ backend: "engine" }).session();
      return answersOf([0, "assigned", 0, "assigned"], (run) => {
        if (run === "assigned") session.assign(subject.assigned);
        else session.reset();
        return session.runAll(subject.inputs(0)).results;
      });
    },
  },
  {
    name: "in a session that assigns",
    oneOf: 3,
    answers: assigning,
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
    name: "prepared, with kernels of large products",
    oneOf: 6,
    answers: (subject) =>
      withLargeKernels(() => {
        const prepared = subject.prepared();
        return inTurn(subject, [0, 2, 1], (inputs) => prepared.runAll(inputs));
      }),
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
    isLast: true,
    answers: (subject) => manyAtOnce(subject, "zbatch", {}, [0, 2]),
  },
  {
    name: "many at once, with fixed inputs",
    oneOf: 12,
    isLast: true,
    answers: (subject, choice) => {
      const run = choice.oneOf([0, 1, 2] as const);
      const runs = Array<typeof run>(choice.between(1, 3)).fill(run);
      return manyAtOnce(subject, "batch", someOf(subject.inputs(run), choice), runs);
    },
  },
  {
    // What depends on the fixed inputs alone is computed once, unless a run passes others.
    name: "prepared, the others passed",
    oneOf: 6,
    answers: (subject, choice) => {
      const run = choice.oneOf([0, 1, 2] as const);
      const all = subject.inputs(run);
      const fixed = someOf(all, choice);
      const prepared = subject.prepared(fixed);
      const others = Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(fixed, name)));
      return inTurn(subject, [run, run, 1, run, 2, run], (inputs, each) =>
        prepared.runAll(each === run ? others : inputs),
      );
    },
  },
  {
    // What a run leaves behind that was stopped on its way is nobody else's.
    name: "after a run that was stopped",
    oneOf: 10,
    answers: (subject, choice) => {
      const steps = choice.below(300);
      const stopped = subject.compiled({ backend: "engine", limits: { ...limits, steps } });
      for (const run of [0, 1, 0] as const) outcomeOf(() => stopped.runAll(subject.inputs(run)).results);
      outcomeOf(() => stopped.prepare().runAll(subject.inputs(0)));
      return runsOf(subject, {}, [0, 1]);
    },
  },
  {
    // A host may fail in one run and not in the next one.
    name: "after a host that failed",
    oneOf: 1,
    answers: (subject, choice) => {
      if (subject.program.hosts.length === 0) return [];
      const program = subject.compiled({ backend: "engine" });
      const prepared = program.prepare();
      for (const run of [0, 1, 2] as const)
        failing(choice.below(4), () =>
          outcomeOf(() => (choice.percent(50) ? prepared : program).runAll(subject.inputs(run))),
        );
      return [
        ...inTurn(subject, [0, 1], (inputs) => program.runAll(inputs).results),
        ...inTurn(subject, [0, 2], (inputs) => prepared.runAll(inputs)),
      ];
    },
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

/** Some of these inputs. */
const someOf = (inputs: Record<string, Tensor>, choice: Choice): Record<string, Tensor> =>
  Object.fromEntries(choice.some(Object.entries(inputs)));
