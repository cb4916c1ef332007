import fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkPackage,
  completedQuery,
  Document,
  Ranking,
  rankDocuments,
  readFeed,
  readQuery,
  soundProfile,
} from "../../../src/vespa.js";
import { holds } from "../../chance.js";
import { packageOf } from "../../packages.js";

/**
 * Lists of hits through the phases of packages by chance: expressions, rerank counts and limits of two profiles, of which one
 * inherits the other, and of the request. A plain model ranks them as Vespa's documentation tells.
 */
const fields = ["a", "b", "c"] as const;
type Hit = Readonly<Record<(typeof fields)[number], number>>;

/** A sum of what a phase sees, each with a factor; with a normalizer only in the global phase. */
interface Sum {
  readonly fields: Hit;
  readonly before: number;
  readonly linear: { readonly of: (typeof fields)[number]; readonly factor: number } | undefined;
  readonly reciprocal:
    | { readonly of: (typeof fields)[number]; readonly k: number; readonly factor: number }
    | undefined;
}

interface Settings {
  readonly count: number | undefined;
  readonly limit: number | undefined;
}

/** What one profile writes of a phase. */
interface Phase extends Settings {
  readonly sum: Sum | undefined;
}

const names = ["first", "second", "global"] as const;
type Phases = Readonly<Record<(typeof names)[number], Phase>>;

const factor = fc.integer({ min: -3, max: 3 });
/** No score is one of these, whatever is rounded. */
const limit = fc.integer({ min: -12, max: 3 }).map((each) => each + 0.217);
/** There or not. */
const few = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });
const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, value);
const field = fc.constantFrom(...fields);
const factors = fc.record({ a: factor, b: factor, c: factor });
const plain = fc.record({
  fields: factors,
  before: factor,
  linear: fc.constant(undefined),
  reciprocal: fc.constant(undefined),
});
const first = plain.map((sum): Sum => ({ ...sum, before: 0 }));
const global = fc.record({
  fields: factors,
  before: factor,
  linear: few(fc.record({ of: field, factor })),
  reciprocal: few(fc.record({ of: field, k: fc.integer({ min: 1, max: 5 }), factor })),
});

const phase = (sum: fc.Arbitrary<Sum>, isFirst: boolean): fc.Arbitrary<Phase> =>
  fc.record({
    sum: few(sum),
    count: isFirst ? fc.constant(undefined) : few(fc.integer({ min: 0, max: 6 })),
    limit: rarely(limit),
  });
const phases = fc.record({
  first: phase(first, true),
  second: phase(plain, false),
  global: phase(global, false),
});

const cases = fc.record({
  // The first profile ranks, in each case.
  base: fc.tuple(phases, first).map(([each, sum]): Phases => ({ ...each, first: { ...each.first, sum } })),
  leaf: phases,
  request: fc.record({
    second: few(fc.integer({ min: 0, max: 6 })),
    global: few(fc.integer({ min: 0, max: 6 })),
    limit: rarely(limit),
  }),
  hits: fc.array(fc.record({ a: factor, b: factor, c: factor }), { minLength: 1, maxLength: 8 }),
});
type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

interface Ranked {
  readonly hit: number;
  readonly score: number;
}

/** Best first, those that were fed first before others of the same score. */
const inOrder = (hits: readonly Ranked[]): Ranked[] =>
  [...hits].sort((a, b) => b.score - a.score || a.hit - b.hit);

const above = (hits: readonly Ranked[], limit: number | undefined): Ranked[] =>
  hits.filter(({ score }) => limit === undefined || score > limit);

/** The order in the end, by the model. */
function expected({ base, leaf, request, hits }: Case): Ranked[] {
  const inherited = <Key extends keyof Phase>(name: keyof Phases, key: Key): Phase[Key] =>
    leaf[name][key] ?? base[name][key];
  const ownScore = ({ fields: own }: Sum, hit: number): number =>
    fields.reduce((total, each) => total + own[each] * (hits[hit]?.[each] ?? Number.NaN), 0);

  const all = hits.map((_, hit) => ({ hit, score: ownScore(inherited("first", "sum") ?? none, hit) }));
  const firstScores = new Map(all.map(({ hit, score }) => [hit, score]));
  let ranked = inOrder(above(all, request.limit ?? inherited("first", "limit")));
  for (const name of ["second", "global"] as const) {
    const sum = inherited(name, "sum");
    if (sum === undefined) continue;
    const count = request[name] ?? inherited(name, "count") ?? 100;
    const again = ranked.slice(0, count);
    const scores = again.map(({ hit }, at): number => {
      const score = ownScore(sum, hit) + sum.before * (firstScores.get(hit) ?? Number.NaN);
      return score + linearOf(sum, again, hits, at) + reciprocalOf(sum, again, hits, at);
    });
    const next = ranked.map((each, at) => ({ ...each, score: scores[at] ?? each.score }));
    ranked = inOrder(above(moved(ranked, next, again.length), inherited(name, "limit")));
  }
  return ranked;
}

const none: Sum = { fields: { a: 0, b: 0, c: 0 }, before: 0, linear: undefined, reciprocal: undefined };

/** From 0 to 1 between the least and the greatest value; 0.5 where these are the same. */
function linearOf({ linear }: Sum, again: readonly Ranked[], hits: readonly Hit[], at: number): number {
  if (linear === undefined) return 0;
  const values = again.map(({ hit }) => hits[hit]?.[linear.of] ?? Number.NaN);
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const own = values[at] ?? Number.NaN;
  return linear.factor * (least === greatest ? 0.5 : (own - least) / (greatest - least));
}

/** One over the rank and k; of the same values the hit before has the better rank. */
function reciprocalOf(
  { reciprocal }: Sum,
  again: readonly Ranked[],
  hits: readonly Hit[],
  at: number,
): number {
  if (reciprocal === undefined) return 0;
  const values = again.map(({ hit }) => hits[hit]?.[reciprocal.of] ?? Number.NaN);
  const own = values[at] ?? Number.NaN;
  const better = values.filter((each, index) => each > own || (each === own && index < at)).length;
  return reciprocal.factor / (reciprocal.k + better + 1);
}

/** Hits that are not ranked again stay below those that are. */
function moved(before: readonly Ranked[], after: readonly Ranked[], count: number): Ranked[] {
  const scoresOf = (list: readonly Ranked[]): number[] => list.slice(0, count).map(({ score }) => score);
  const [old, now] = [scoresOf(before), scoresOf(after)];
  const [leastOld, leastNow] = [Math.min(...old), Math.min(...now)];
  if (count === 0 || leastOld <= leastNow) return [...after];
  const width = (list: readonly number[]): number => Math.max(1, Math.max(...list) - Math.min(...list));
  // In this order of operations, as rounding may decide whether two hits are the same.
  const scale = width(now) / width(old);
  const shift = leastOld * scale - leastNow;
  return after.map((each, at) => (at < count ? each : { ...each, score: each.score * scale - shift }));
}

function text(sum: Sum): string {
  const terms = fields.map((each) => `${sum.fields[each]} * attribute(${each})`);
  if (sum.before !== 0) terms.push(`${sum.before} * firstPhase`);
  if (sum.linear !== undefined)
    terms.push(`${sum.linear.factor} * normalize_linear(attribute(${sum.linear.of}))`);
  if (sum.reciprocal !== undefined)
    terms.push(
      `${sum.reciprocal.factor} * reciprocal_rank(attribute(${sum.reciprocal.of}), ${sum.reciprocal.k})`,
    );
  return terms.join(" + ").replace(/(^|\+ )(-\d)/g, "$1($2)");
}

function profileText(name: string, profile: Phases): string {
  const blocks = names.map((each) => {
    const { sum, count, limit } = profile[each];
    const lines = [
      sum === undefined ? "" : `expression: ${text(sum)}`,
      count === undefined ? "" : `rerank-count: ${count}`,
      limit === undefined ? "" : `rank-score-drop-limit: ${limit}`,
    ].filter((line) => line !== "");
    return lines.length === 0 ? "" : `    ${each}-phase {\n      ${lines.join("\n      ")}\n    }\n`;
  });
  return `  rank-profile ${name} {\n${blocks.join("")}  }\n`;
}

const cells = 1_000;

async function ranked({ base, leaf, request, hits }: Case): Promise<Ranked[]> {
  const read = packageOf({
    "schemas/doc.sd": `schema doc {
  document doc {
    ${fields.map((each) => `field ${each} type int { indexing: attribute }`).join("\n    ")}
  }
${profileText("leaf inherits base", leaf)}${profileText("base", base)}}
`,
  });
  const checked = checkPackage(read);
  const errors = [...read.problems, ...checked.problems].filter((each) => each.severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checked, "leaf", nowhere);
  const parameters = {
    "ranking.rerankCount": request.second,
    "ranking.globalPhase.rerankCount": request.global,
    "ranking.rankScoreDropLimit": request.limit,
  };
  const { query } = completedQuery(
    readQuery({ name: "query", text: JSON.stringify(parameters) }).query,
    read,
  );
  const scorer = new Ranking({ package: read, profile }).scorer({ query, cells });
  const documents = hits.map((fields, at) => {
    const [entry] = readFeed({ name: "feed", text: JSON.stringify({ put: `id:a:doc::${at}`, fields }) });
    if (entry?.document === undefined) throw new Error("the feed has no document");
    return { document: new Document(`${at}`, entry.document.fields, cells) };
  });
  const list = await rankDocuments(scorer, documents, { profile, query });
  return list.map(({ document, score }) => ({ hit: document, score }));
}

/** Scores that differ by rounding only are the same, and so is the order of such hits. */
const rounded = (list: readonly Ranked[]): Ranked[] =>
  inOrder(list.map(({ hit, score }) => ({ hit, score: Math.round(score * 1e9) / 1e9 + 0 })));

test("lists of hits through the phases are those of a plain model", async () => {
  await holds(
    fc.asyncProperty(cases, async (of) => {
      const list = await ranked(of);
      expect(rounded(list)).toEqual(rounded(expected(of)));
      expect(list.every(({ score }, at) => !(score > (list[at - 1]?.score ?? score)))).toBe(true);
    }),
    60,
  );
});
