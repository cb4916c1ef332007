import { describe, expect, test } from "vitest";
import { compile, parseTensor } from "../../src/index.js";
import { isNear } from "../../src/language/values/near.js";
import { numbersByChance } from "../chance.js";
import { evaluate } from "../engine-evaluate.js";

/** How good predictions are: functions of the prelude against their definitions, with equal scores and equal relevances. */

const vector = (cells: readonly number[], isMapped: boolean): string =>
  isMapped
    ? `tensor(x{}):{${cells.map((cell, at) => `k${at}:${cell}`).join()}}`
    : `tensor(x[${cells.length}]):[${cells.join()}]`;

/** All orders of some items. */
const orders = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean over all orders in which no score comes before a higher one. */
function dcgOf(scores: readonly number[], relevances: readonly number[]): number {
  const indexes = scores.map((_, at) => at);
  const scoreOf = (at: number): number => scores[at] ?? Number.NaN;
  const descending = orders(indexes).filter((order) =>
    order.every((at, place) => place === 0 || scoreOf(order[place - 1] ?? at) >= scoreOf(at)),
  );
  return mean(
    descending.map((order) =>
      order.reduce((sum, at, place) => sum + (2 ** (relevances[at] ?? 0) - 1) / Math.log2(place + 2), 0),
    ),
  );
}

/** Over all pairs of a positive and a negative. */
const aucOf = (scores: readonly number[], relevances: readonly number[]): number =>
  mean(
    scores.flatMap((score, at) =>
      scores.flatMap((other, of) => {
        if (!(relevances[at] === 1 && relevances[of] === 0)) return [];
        return [score > other ? 1 : score === other ? 0.5 : 0];
      }),
    ),
  );

test("dcg, ndcg and auc are what their definitions say, whatever is equal", () => {
  const chance = numbersByChance();
  const whole = (below: number): number => Math.floor(chance() * below);
  for (let turn = 0; turn < 60; turn++) {
    const length = 2 + whole(4);
    const scores = Array.from({ length }, () => whole(3) / 2);
    const relevances = Array.from({ length }, (_, at) => (at === 0 ? 1 : whole(turn % 2 === 0 ? 2 : 4)));
    const isMapped = whole(2) === 1;
    const value = (name: string): number =>
      evaluate(`${name}(${vector(scores, isMapped)}, ${vector(relevances, isMapped)}, x)`).asNumber();
    expect(value("dcg")).toBeCloseTo(dcgOf(scores, relevances), 12);
    expect(value("ndcg")).toBeCloseTo(dcgOf(scores, relevances) / dcgOf(relevances, relevances), 12);
    if (relevances.includes(0) && !relevances.some((each) => each > 1))
      expect(value("auc")).toBeCloseTo(aucOf(scores, relevances), 12);
  }
});

describe("auc", () => {
  const auc = (scores: string, labels: string): number =>
    evaluate(`auc(tensor(x{}):${scores}, tensor(x{}):${labels}, x)`).asNumber();

  test("is that of the cells that scores and labels both have", () => {
    expect(auc("{a:0.9,b:0.5,c:0.1}", "{a:1,c:0}")).toBe(1);
    expect(auc("{a:0.1,b:0.5,c:0.9}", "{a:1,c:0}")).toBe(0);
    expect(auc("{a:0.9,b:0.5,c:0.1}", "{a:1,b:1,c:0,d:0,e:1}")).toBe(1);
    const chance = numbersByChance();
    for (let turn = 0; turn < 40; turn++) {
      const cells = Array.from({ length: 8 }, (_, at) => ({
        label: `l${at}`,
        score: chance() < 0.7 ? Math.floor(chance() * 4) : undefined,
        relevance: chance() < 0.7 ? Number(chance() < 0.5) : undefined,
      }));
      const written = (of: "score" | "relevance"): string =>
        `{${cells.flatMap((cell) => (cell[of] === undefined ? [] : [`${cell.label}:${cell[of]}`])).join()}}`;
      const both = cells.filter(({ score, relevance }) => score !== undefined && relevance !== undefined);
      const numbers = (of: "score" | "relevance"): number[] => both.map((cell) => cell[of] ?? Number.NaN);
      if (new Set(numbers("relevance")).size < 2) continue;
      expect(auc(written("score"), written("relevance"))).toBeCloseTo(
        aucOf(numbers("score"), numbers("relevance")),
        12,
      );
    }
  });

  test("of a score that is NaN is NaN, and of infinite ones a number", () => {
    expect(auc("{a:1/0,b:2,c:-1/0}", "{a:1,b:1,c:0}")).toBe(1);
    expect(auc("{a:0.9,b:0/0,c:0.1}", "{a:1,b:0,c:0}")).toBeNaN();
  });
});

// biome-ignore format: a table
test.each([
  // Labels are on one side of 0.5 or the other, whatever they are beside that.
  { name: "graded labels",             text: "auc(tensor(x[3]):[3,2,1], tensor(x[3]):[2,1,0], x)",                   value: 1 },
  { name: "labels of 1 and -1",        text: "auc(tensor(x[3]):[3,2,1], tensor(x[3]):[1,-1,1], x)",                  value: 0.5 },
  { name: "labels of one side",        text: "auc(tensor(x[2]):[1,2], tensor(x[2]):[1,1], x)",                       value: Number.NaN },
  { name: "a label that is NaN",       text: "auc(tensor(x[3]):[1,2,3], tensor(x[3]):[0/0,1,0], x)",                 value: Number.NaN },
  { name: "no common cells",           text: "auc(tensor(x{}):{a:1,b:2}, tensor(x{}):{c:1,d:0}, x)",                 value: Number.NaN },
  { name: "a score that is NaN",       text: "rank_auc(tensor(x[2]):[0/0,0.5], tensor(x[2]):[1,0], x)",              value: Number.NaN },
  { name: "a prediction that is NaN",  text: "accuracy(tensor(x[2]):[0/0,0.2], tensor(x[2]):[0,0])",                 value: Number.NaN },
  { name: "an infinite prediction",    text: "accuracy(tensor(x[2]):[1/0,0.2], tensor(x[2]):[1,0])",                 value: 1 },
  { name: "what is of no end",         text: "dcg(tensor(x[2]):[2,1], tensor(x[2]):[1,1100], x)",                    value: Number.POSITIVE_INFINITY },
  { name: "what is worse than nothing", text: "ndcg(tensor(x[2]):[2,1], tensor(x[2]):[-1,1], x)",                    value: 1 / Math.log2(3) },
  { name: "infinite in another group", text: "sum(tied_mean(tensor(x[3]):[1,1,3], tensor(x[3]):[1,3,1/0], x){x:0})", value: 2 },
])("$name", ({ text, value }) => {
  expect(isNear(evaluate(text).asNumber(), value, 1e-12)).toBe(true);
});

describe("ndcg", () => {
  test("is 1 for the best order, and not more", () => {
    expect(evaluate("ndcg(tensor(x[3]):[3,2,1], tensor(x[3]):[2,2,0], x)").asNumber()).toBeCloseTo(1, 14);
  });

  test("is that of each list by itself", () => {
    // The first of two equal scores gains 3, the second 3 / log2(3).
    const text = "dcg(tensor(d{},x[3]):{a:[3,3,1],b:[1,2,3]}, tensor(d{},x[3]):{a:[2,0,0],b:[2,0,0]}, x)";
    const lists = evaluate(text);
    expect(lists.get({ d: "a" })).toBeCloseTo((3 + 3 / Math.log2(3)) / 2, 12);
    expect(lists.get({ d: "b" })).toBeCloseTo(3 / 2, 12);
  });
});

// What these functions call a dimension within them may be the name of one of a caller's, too.
// biome-ignore format: a table
test.each([
  { text: "descending_rank(tensor(_o[3]):[5,9,5], _o)",                        value: "tensor(_o[3]):[1.5,0,1.5]" },
  { text: "discount(tensor(_o[4]):[5,9,1,3], _o){_o:1}",                       value: "1" },
  { text: "discount(tensor(_o[4]):[5,9,1,3], _o){_o:2}",                       value: `${Math.log(2) / Math.log(5)}` },
  { text: "tied_mean(tensor(_o[3]):[5,9,5], tensor(_o[3]):[1,2,3], _o)",       value: "tensor(_o[3]):[2,2,2]" },
  { text: "tied_mean(tensor(x[2]):[5,5], tensor(x[2],_o{}):{a:[1,3]}, x)",     value: "tensor(x[2],_o{}):{a:[2,2]}" },
  { text: "descending_rank(tensor(_o[2],x[2]):[1,2,4,3], x)",                  value: "tensor(_o[2],x[2]):[1,0,0,1]" },
  { text: "descending_rank(tensor(_o[1],_o1[1],x[2]):[1,2], x)",               value: "tensor(_o[1],_o1[1],x[2]):[1,0]" },
  { text: "auc(tensor(_o[3]):[0.9,0.5,0.1], tensor(_o[3]):[1,0,1], _o)",       value: "0.5" },
])("$text is $value", ({ text, value }) => {
  expect(evaluate(text).equals(parseTensor(value))).toBe(true);
});

test("a function that passes its parameter on may be called with that name, too", () => {
  const program = compile("ranks(t, d) = descending_rank(t, d); ranks(tensor(_o[2]):[1,2], _o)");
  expect(program.run().toString()).toBe("tensor(_o[2]):[1.0, 0.0]");
});
