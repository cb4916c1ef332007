import { SphexError } from "../../language/source/problem.js";
import { indexed, TensorType } from "../../language/types/type.js";
import { numberAt } from "../../language/values/element.js";
import { spanOfText } from "../../language/values/messages.js";
import { Tensor } from "../../language/values/tensor.js";
import { compile } from "../../program/compile.js";
import type { LabelledRow } from "./labelled-rows.js";
import { apart, type Lists, listsOf, ofHits } from "./lists.js";
import { problem } from "./messages.js";
import { type RankingLossName, rankingLosses } from "./ranking-losses.js";
import type { Numbers, RowFeatures, RowScorer } from "./scored-rows.js";
import { rounded } from "./written-numbers.js";

export interface FitOptions {
  readonly loss: RankingLossName;
  /** How many steps are made, each on all lists. */
  readonly epochs: number;
  /** How far a step goes, in units in which each number moves scores alike. */
  readonly rate: number;
  /** How much the square of what a number moves from where it was adds to the loss, in these units. */
  readonly decay: number;
  /** Called after each epoch. */
  readonly progress?: ((epoch: number, loss: number) => Promise<void>) | undefined;
}

/** Numbers, and what the orders that they make lose. */
export interface Fit {
  readonly numbers: Numbers;
  readonly before: number;
  readonly after: number;
}

/**
 * The numbers with the smallest loss, the decay with it, that descent finds on rows, from those that the parameters have. Each step is a run of a program:
 * it takes scores and slopes, and its assignments are those of Adam. The rate falls from the first step to the last, by a cosine.
 * A loss does not change where all scores of a list move alike.
 * @throws SphexError where a row lacks a feature, or the loss is no finite number.
 */
export async function fitNumbers(
  scorer: RowScorer,
  rows: readonly LabelledRow[],
  options: FitOptions,
): Promise<Fit> {
  const lists = listsOf(rows);
  const features = scorer.features(lists.rows);
  const units = unitsOf(scorer, features, lists);
  const session = compile(programText(options), { name: "learning" }).session();
  const number = indexed("number", units.length);
  const zeros = Tensor.from(TensorType.of("double", [number]), new Float64Array(units.length));
  session.assign({ change: zeros, m: zeros, v: zeros });
  const { relevance, present } = lists;
  let best: { readonly numbers: Numbers; readonly loss: number; readonly minimised: number } | undefined;
  let before = Number.NaN;
  for (let epoch = 0; epoch <= options.epochs; epoch++) {
    const changes = session.get("change");
    const numbers = scorer.initial.map((value, at) => value + numberAt(units, at) * changes.at(at));
    const { scores, slopes } = scorer.scored(features, numbers);
    const rate = (options.rate / 2) * (1 + Math.cos((Math.PI * epoch) / options.epochs));
    const inputs = {
      ...{ relevance, present, rate },
      score: ofHits(lists, scores),
      slopes: ofHits(
        lists,
        apart(lists, slopes, units.length).map((slope, at) => slope * numberAt(units, at % units.length)),
        [number],
      ),
    };
    const loss = session.run(inputs).asNumber();
    if (!Number.isFinite(loss))
      throw new SphexError([problem("learning/not-finite", spanOfText("learning", ""), { epoch, loss })]);
    if (epoch === 0) before = loss;
    const minimised = loss + options.decay * squares(changes);
    if (best === undefined || minimised < best.minimised) best = { numbers, loss, minimised };
    await options.progress?.(epoch, loss);
  }
  const numbers = Float64Array.from(best?.numbers ?? scorer.initial, rounded);
  return { numbers, before, after: best?.loss ?? Number.NaN };
}

const squares = ({ data }: Tensor): number =>
  Array.from(data, Number).reduce((sum, each) => sum + each * each, 0);

/** One of the numbers may weigh a feature up to 1, another one up to 1000: a unit of each moves scores apart by about one. */
function unitsOf(scorer: RowScorer, features: RowFeatures, { rows }: Lists): Numbers {
  const { slopes } = scorer.scored(features, scorer.initial);
  const count = scorer.initial.length;
  return scorer.initial.map((_, number) => {
    let [sum, squares] = [0, 0];
    for (let row = 0; row < rows.length; row++) {
      const slope = numberAt(slopes, row * count + number);
      sum += slope;
      squares += slope * slope;
    }
    const [mean, size] = [sum / rows.length, squares / rows.length];
    // What moves all scores alike at first may do otherwise later, and must not go too far until then.
    return size === 0 ? 1 : 1 / Math.sqrt(Math.max(size - mean * mean, size / 100));
  });
}

const programText = ({ loss, decay }: FitOptions): string => `
input score: tensor(hit[],list[])
input slopes: tensor(hit[],list[],number[])
input relevance: tensor(hit[],list[])
input present: tensor(hit[],list[])
input rate: tensor()
variable change: tensor(number[]) = tensor(number[1])(0)
persistent m: tensor(number[]) = tensor(number[1])(0)
persistent v: tensor(number[]) = tensor(number[1])(0)
persistent step = 0
${rankingLosses[loss]}
slope = sum(gradient(loss, score) * slopes, hit, list) + ${2 * decay} * change
m_next = moving_average(m, slope, 0.9)
v_next = moving_average(v, slope * slope, 0.999)
assign m = m_next
assign v = v_next
assign step = step + 1
assign change = adam(change, m_next, v_next, step + 1, rate)
loss`;
