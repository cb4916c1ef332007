import { settle } from "./contender.js";
import { Draw } from "./draw.js";
import { frameworkTimes } from "./frameworks.js";
import { blocks, dense, type Inputs, sparse } from "./inputs.js";
import { library, type Plan } from "./library.js";

/** What gradients cost: a value and its gradients in all variables, in one run, beside the value alone. */
interface GradientRow {
  readonly name: string;
  /** Definitions of `loss`. */
  readonly text: string;
  readonly variables: readonly string[];
  readonly inputs: (draw: Draw) => Inputs;
}

const rows: readonly GradientRow[] = [
  {
    name: "net 784-256-10 float, batch of 64",
    text: `hidden = relu(sum(x * w1, i) + b1)
score = sum(hidden * w2, h) + b2
loss = avg(log(sum(exp(score), o)) - sum(score * y, o))`,
    variables: ["w1", "b1", "w2", "b2"],
    inputs: (draw) => ({
      x: dense("tensor<float>(b[64],i[784])", draw.floats(64 * 784)),
      y: dense(
        "tensor<float>(b[64],o[10])",
        Float32Array.from({ length: 640 }, (_, at) => Number(at % 10 === Math.floor(at / 10) % 10)),
      ),
      w1: dense("tensor<float>(h[256],i[784])", draw.floats(256 * 784, -0.05, 0.05)),
      b1: dense("tensor<float>(h[256])", draw.floats(256)),
      w2: dense("tensor<float>(h[256],o[10])", draw.floats(2560, -0.1, 0.1)),
      b2: dense("tensor<float>(o[10])", draw.floats(10)),
    }),
  },
  {
    name: "attention float 128×64",
    text: `weights = softmax(sum(q * k, d) / 8, j)
loss = avg(sum(weights * v, j) ^ 2)`,
    variables: ["q", "k", "v"],
    inputs: (draw) => ({
      q: dense("tensor<float>(d[64],i[128])", draw.floats(128 * 64)),
      k: dense("tensor<float>(d[64],j[128])", draw.floats(128 * 64)),
      v: dense("tensor<float>(j[128],o[64])", draw.floats(128 * 64)),
    }),
  },
  {
    name: "factorisation machine float, 100,000 labels by 8, 64 rows of 20",
    text: `linear = sum(w * x, label)
pairs = sum(sum(v * x, label) ^ 2 - sum(v * v * x * x, label), f)
loss = avg((linear + 0.5 * pairs - y) ^ 2)`,
    variables: ["w", "v"],
    inputs: (draw) => {
      const [labels, items, each] = [100_000, 64, 20];
      const chosen = Array.from({ length: items }, () => draw.distinct(each, labels));
      const cells = chosen.flatMap((own, row) => Array.from(own, (label) => [label, row] as const));
      cells.sort(([a, rowOfA], [b, rowOfB]) => a - b || rowOfA - rowOfB);
      const columns = [0, 1].map((at) => Int32Array.from(cells, (cell) => cell[at] ?? 0));
      return {
        x: sparse("tensor<float>(label{},row{})", columns, draw.floats(items * each)),
        y: blocks("tensor<float>(row{})", items, draw.floats(items)),
        w: blocks("tensor<float>(label{})", labels, draw.floats(labels)),
        v: blocks("tensor<float>(f[8],label{})", labels, draw.floats(8 * labels)),
      };
    },
  },
  {
    name: "10,000 rows of 32 floats, looked up in a table of 1,000",
    text: `row = tensor<float>(n[10000],v[32])(table{id:(ids{n:(n)}), v:(v)})
loss = avg((sum(row * w, v) - y) ^ 2)`,
    variables: ["table", "w"],
    inputs: (draw) => ({
      table: dense("tensor<float>(id[1000],v[32])", draw.floats(32_000)),
      ids: dense(
        "tensor(n[10000])",
        Float64Array.from({ length: 10_000 }, () => draw.below(1000)),
      ),
      w: dense("tensor<float>(v[32])", draw.floats(32)),
      y: dense("tensor<float>(n[10000])", draw.floats(10_000)),
    }),
  },
  {
    name: "MaxSim float 32×128 by 200×128",
    text: "loss = sum(reduce(sum(q * d, x), max, dt), qt)",
    variables: ["q", "d"],
    inputs: (draw) => ({
      q: blocks("tensor<float>(qt{},x[128])", 32, draw.floats(32 * 128)),
      d: blocks("tensor<float>(dt{},x[128])", 200, draw.floats(200 * 128)),
    }),
  },
];

/** Milliseconds, the least of many. */
export interface GradientCost {
  readonly name: string;
  readonly value: number;
  readonly both: number;
  /** How many times the memory of the plan for the value that for both takes, inputs included. */
  readonly memory: number;
  /** Of others, where Python has them: the value and its gradients. */
  readonly peers: Readonly<Record<string, number>>;
}

/** A value with its gradients takes at most so many times the time, and the memory, of the value alone. */
const most = 3;

export async function* gradientCosts(
  pattern: RegExp,
  milliseconds: number,
  say: (text: string) => void,
): AsyncGenerator<GradientCost> {
  const chosen = rows.filter(({ name }) => pattern.test(`gradient of ${name}`));
  if (chosen.length === 0) return;
  const { times, text: peers } = frameworkTimes("gradients");
  say(`\ngradients, ${peers}`);
  for (const { name, text, variables, inputs: inputsOf } of chosen) {
    const inputs = inputsOf(new Draw(1));
    const types = Object.entries(inputs).map(([input, { value }]) => [
      input,
      typeof value === "number" ? "tensor()" : value.type,
    ]);
    const declared = types.map(([input, type]) => `input ${input}: ${type}`).join("\n");
    const gradients = variables.map((variable) => `gradient(loss, ${variable})`).join("\n");
    const values = Object.fromEntries(Object.entries(inputs).map(([input, { value }]) => [input, value]));
    const programs = [`${declared}\n${text}\nloss`, `${declared}\n${text}\nloss\n${gradients}`].map((each) =>
      library.compile<Record<string, unknown>>(each),
    );
    const runs = programs.map((program) => {
      const prepared = program.prepare();
      // Others give their memory back at once, too.
      return () => {
        for (const tensor of prepared.runAll(values)) tensor.dispose();
      };
    });
    const [value = Number.NaN, both = Number.NaN] = await timesOf(runs, milliseconds);
    const [alone = Number.NaN, together = Number.NaN] = programs.map((each) => bytesOf(each.plan(values)));
    yield { name, value, both, memory: together / alone, peers: times[name] ?? {} };
  }
}

/** The bytes of all buffers of a plan that do not lie in the memory of others. */
function bytesOf(plan: Plan): number {
  const widths: Readonly<Record<string, number>> = { double: 8, float: 4 };
  const buffers = new Map<string, number>();
  for (const [, buffer = "", cells = "", length] of library
    .showPlan(plan)
    .matchAll(/^ *(b\d+): (\w+)\[(\d+)\] =/gm))
    buffers.set(buffer, (widths[cells] ?? Number.NaN) * Number(length));
  return [...buffers.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** The least time of each, in turns. */
async function timesOf(runs: readonly (() => void)[], milliseconds: number): Promise<number[]> {
  const least = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 20; round++)
    for (const [at, run] of runs.entries()) {
      const end = performance.now() + milliseconds;
      do {
        const start = performance.now();
        run();
        least[at] = Math.min(least[at] ?? 0, performance.now() - start);
      } while (performance.now() < end);
      await settle();
    }
  return least;
}

export function gradientText({ name, value, both, memory, peers }: GradientCost): string {
  const shown = (time: number): string => `${time.toPrecision(3)} ms`;
  const ratio = (times: number): string => `${times.toFixed(2)} ×${times > most ? " !" : ""}`;
  const others = Object.entries(peers).map(
    ([peer, time]) => `, ${peer} ${shown(time)} (${(both / time).toFixed(2)} ×)`,
  );
  return `gradient of ${name}: ${shown(both)} with the value, which takes ${shown(value)} alone (${ratio(both / value)}), in ${ratio(memory)} its memory${others.join("")}`;
}
