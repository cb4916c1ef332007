import { Draw } from "./draw.js";
import { frameworkTimes } from "./frameworks.js";
import { dense } from "./given.js";
import { library } from "./library.js";

/** What an epoch of training takes: steps of Adam, each on a batch of the items. */

const name = "net 784-256-10 float, 20 batches of 64";

const text = `input x: tensor<float>(b[],i[784])
input y: tensor<float>(b[],o[10])
variable w1: tensor<float>(h[256],i[784]) = tensor<float>(h[256],i[784])(0.05 * sin(7 * h + 3 * i))
variable b1: tensor<float>(h[256]) = tensor<float>(h[256])(0)
variable w2: tensor<float>(h[256],o[10]) = tensor<float>(h[256],o[10])(0.1 * sin(5 * h + 11 * o))
variable b2: tensor<float>(o[10]) = tensor<float>(o[10])(0)
hidden = relu(sum(x * w1, i) + b1)
score = sum(hidden * w2, h) + b2
loss = avg(log(sum(exp(score), o)) - sum(score * y, o))
minimise loss`;

/** Milliseconds, the least of some. */
export interface EpochCost {
  readonly name: string;
  readonly milliseconds: number;
  /** Of others, where Python has them. */
  readonly peers: Readonly<Record<string, number>>;
}

export async function* epochCosts(pattern: RegExp, say: (text: string) => void): AsyncGenerator<EpochCost> {
  if (!pattern.test(`epoch of ${name}`)) return;
  const { times, text: peers } = frameworkTimes("epochs");
  say(`\nepochs, ${peers}`);
  const draw = new Draw(1);
  const items = 20 * 64;
  const data = {
    x: dense(`tensor<float>(b[${items}],i[784])`, draw.floats(items * 784)).value,
    y: dense(
      `tensor<float>(b[${items}],o[10])`,
      Float32Array.from({ length: items * 10 }, (_, at) => Number(at % 10 === Math.floor(at / 10) % 10)),
    ).value,
  };
  const session = library.compile(text).session();
  let [least, start] = [Number.POSITIVE_INFINITY, performance.now()];
  for await (const _ of session.train({ data, epochs: 8, batch: 64, optimiser: "adam" })) {
    least = Math.min(least, performance.now() - start);
    start = performance.now();
  }
  yield { name, milliseconds: least, peers: times[name] ?? {} };
}

export function epochText({ name, milliseconds, peers }: EpochCost): string {
  const others = Object.entries(peers).map(
    ([peer, time]) => `, ${peer} ${time.toPrecision(3)} ms (${(milliseconds / time).toFixed(2)} ×)`,
  );
  return `epoch of ${name}: ${milliseconds.toPrecision(3)} ms by Adam${others.join("")}`;
}
