import { Draw } from "./draw.js";
import { frameworkTimes } from "./frameworks.js";
import { blocks, dense, type Inputs, sparse } from "./inputs.js";
import { library } from "./library.js";

/** What an epoch of training takes: steps of Adam, each on a batch of the items. */

interface EpochRow {
  readonly name: string;
  readonly text: string;
  /** The dimension that has the items, where several could. */
  readonly dimension?: string;
  readonly data: (draw: Draw) => Inputs;
}

const batch = 64;

const rows: readonly EpochRow[] = [
  {
    name: "net 784-256-10 float, 20 batches of 64",
    text: `input x: tensor<float>(b[],i[784])
input y: tensor<float>(b[],o[10])
variable w1: tensor<float>(h[256],i[784]) = tensor<float>(h[256],i[784])(0.05 * sin(7 * h + 3 * i))
variable b1: tensor<float>(h[256]) = tensor<float>(h[256])(0)
variable w2: tensor<float>(h[256],o[10]) = tensor<float>(h[256],o[10])(0.1 * sin(5 * h + 11 * o))
variable b2: tensor<float>(o[10]) = tensor<float>(o[10])(0)
hidden = relu(sum(x * w1, i) + b1)
score = sum(hidden * w2, h) + b2
loss = avg(log(sum(exp(score), o)) - sum(score * y, o))
minimise loss`,
    data: (draw) => ({
      x: dense(`tensor<float>(b[${20 * batch}],i[784])`, draw.floats(20 * batch * 784)),
      y: dense(
        `tensor<float>(b[${20 * batch}],o[10])`,
        Float32Array.from({ length: 20 * batch * 10 }, (_, at) =>
          Number(at % 10 === Math.floor(at / 10) % 10),
        ),
      ),
    }),
  },
  {
    name: "factorisation of ratings, 2,000 users and 1,000 films by 8, 100 batches of 64",
    text: `input user: tensor(row{},user{})
input film: tensor(film{},row{})
input rating: tensor(row{})
variable tastes: tensor(factor[8],user{}) = tensor(factor[8],user{}):{}
variable styles: tensor(factor[8],film{}) = tensor(factor[8],film{}):{}
begin tastes = map_subspaces(max(user, row), f(seen)(seen * random(factor[8])))
begin styles = map_subspaces(max(film, row), f(seen)(seen * random(factor[8])))
predicted = sum(sum(user * tastes, user) * sum(film * styles, film), factor)
loss = avg((predicted - rating)^2)
minimise loss`,
    dimension: "row",
    data: ratings,
  },
];

const ratingCount = 100 * batch;

/** Ratings of films by users; the labels of `row` are the items. */
function ratings(draw: Draw): Inputs {
  const items = Int32Array.from({ length: ratingCount }, (_, at) => at);
  const [users, films] = [items.map(() => draw.below(2000)), items.map(() => draw.below(1000))];
  const filmOf = (item: number): number => films[item] ?? 0;
  const byFilm = items.slice().sort((one, other) => filmOf(one) - filmOf(other) || one - other);
  const ones = new Float64Array(ratingCount).fill(1);
  return {
    user: sparse("tensor(row{},user{})", [items, users], ones),
    film: sparse("tensor(film{},row{})", [byFilm.map(filmOf), byFilm], ones),
    rating: blocks("tensor(row{})", ratingCount, draw.doubles(ratingCount, 0, 5)),
  };
}

/** Milliseconds, the least of some. */
export interface EpochCost {
  readonly name: string;
  readonly milliseconds: number;
  /** Of others, where Python has them. */
  readonly peers: Readonly<Record<string, number>>;
}

export async function* epochCosts(pattern: RegExp, say: (text: string) => void): AsyncGenerator<EpochCost> {
  const chosen = rows.filter(({ name }) => pattern.test(`epoch of ${name}`));
  if (chosen.length === 0) return;
  const { times, text: peers } = frameworkTimes("epochs");
  say(`\nepochs, ${peers}`);
  for (const { name, text, dimension, data: dataOf } of chosen) {
    const data = Object.fromEntries(
      Object.entries(dataOf(new Draw(1))).map(([input, { value }]) => [input, value]),
    );
    const session = library.compile(text).session();
    let [least, start] = [Number.POSITIVE_INFINITY, performance.now()];
    const along = dimension === undefined ? {} : { dimension };
    for await (const _ of session.train({ data, ...along, epochs: 24, batch, optimiser: "adam" })) {
      least = Math.min(least, performance.now() - start);
      start = performance.now();
    }
    yield { name, milliseconds: least, peers: times[name] ?? {} };
  }
}

export function epochText({ name, milliseconds, peers }: EpochCost): string {
  const others = Object.entries(peers).map(
    ([peer, time]) => `, ${peer} ${time.toPrecision(3)} ms (${(milliseconds / time).toFixed(2)} ×)`,
  );
  return `epoch of ${name}: ${milliseconds.toPrecision(3)} ms by Adam${others.join("")}`;
}
