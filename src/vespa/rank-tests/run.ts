import type { JsonValue } from "../../formats/json/value.js";
import { append } from "../../language/source/lists.js";
import { nearest } from "../../language/source/nearest.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import { defaultLimits, type Options } from "../../program/options.js";
import type { CheckedPackage } from "../package/checks/check.js";
import type { Package, Profile } from "../package/model/model.js";
import { completedQuery } from "../package/query-profiles/query-values.js";
import { Ranking } from "../ranking/compile.js";
import { Document } from "../ranking/document/document.js";
import { hitsOfSchema } from "../ranking/document/document-types.js";
import { joinedHits, parentsOf } from "../ranking/document/parents.js";
import { featureKey } from "../ranking/features/injected-features.js";
import { readFeature, typeInValue } from "../ranking/features/read-feature.js";
import { type RankedDocument, rankDocuments } from "../ranking/list/ranked.js";
import { documentId } from "../ranking/list/show.js";
import { soundProfile } from "../ranking/profile.js";
import { type FeatureValue, type HitToScore, isMissing, type Scorer } from "../ranking/scorer.js";
import { type Difference, differences, isSameId, orderDifferences } from "./differences.js";
import { problem } from "./messages.js";
import type { Expectation, RankTest, TestDocument } from "./model.js";

/** How a test ended: well without differences and problems. */
export interface RankTestResult {
  readonly test: RankTest;
  readonly differences: readonly FoundDifference[];
  readonly problems: readonly Problem[];
  /** What the query of the test gives that nothing reads, and the like. A test may pass all the same. */
  readonly warnings: readonly Problem[];
}

/** A value that is not the expected one. */
export interface FoundDifference extends Difference {
  /** Where it is expected. */
  readonly span: Span;
  /** The values that led there: functions, then features. */
  readonly because: readonly { readonly name: string; readonly value: Tensor }[];
}

interface RankedTest {
  readonly scorer: Scorer;
  readonly ranked: readonly RankedDocument[];
  readonly warnings: readonly Problem[];
}

/** Runs tests against one package; a profile is compiled once for all tests that give the same features. */
export class RankTestRunner {
  private readonly rankings = new Map<string, Ranking>();

  constructor(
    private readonly from: Package,
    private readonly checked: CheckedPackage,
    private readonly options: Options = {},
  ) {}

  /** Runs a test. What keeps it from being run, such as a feature that is missing, is in the problems of the result. */
  async run(test: RankTest): Promise<RankTestResult> {
    try {
      const { scorer, ranked, warnings } = await this.ranked(test);
      const problems: Problem[] = [];
      const found = test.expected.flatMap((each) => {
        try {
          return compare(test, each, scorer, ranked);
        } catch (error) {
          append(problems, problemsOf(error));
          return [];
        }
      });
      return { test, differences: found, problems, warnings };
    } catch (error) {
      return { test, differences: [], problems: problemsOf(error), warnings: [] };
    }
  }

  private async ranked(test: RankTest): Promise<RankedTest> {
    const profile = soundProfile(this.from, this.checked, test.profile.name, test.profile.span);
    const ranking = this.ranking(profile, test);
    // A file of features may have more than one profile uses; what the test itself says is meant.
    ranking.refuseUnused([...test.features].filter(([, { span }]) => span.source === test.span.source));
    const { cells } = defaultLimits;
    const { inputs, parameters, properties } = test;
    const { query, problems } = completedQuery(
      { profile: undefined, inputs, parameters, properties },
      this.from,
    );
    if (problems.length > 0) throw new SphexError(problems);
    const documents: readonly TestDocument[] =
      test.documents.length > 0 || test.isList ? test.documents : [noDocument];
    const read = ({ id, fields }: TestDocument): Document => new Document(id, fields, cells);
    const all = documents.map((each) => ({ document: read(each), overrides: each.features }));
    const { hits: unjoined, problems: ofTypes } = hitsOfSchema(all, profile);
    const own = unjoined.map(({ document }) => document);
    const wrong = [...ofTypes.filter(({ isError }) => isError), ...ranking.unknownFields(own)];
    if (wrong.length > 0) throw new SphexError(wrong);
    const named = test.parents && parentsOf(test.parents.map(read));
    const fed = all.map(({ document }) => document);
    const { hits, hasParents, problems: absent } = joinedHits(unjoined, { named, fed }, profile);
    const { neighbours, now } = test;
    const scorer = ranking.scorer({ query, neighbours, now, cells, hasParents }, test.features);
    const isScored = test.expected.some(({ name }) => isOfTheList(name)) || test.isList;
    const ranked = isScored
      ? await rankDocuments(scorer, hits, { profile, query })
      : await unranked(scorer, hits, profile);
    return { scorer, ranked, warnings: [...ofTypes, ...absent, ...ranking.warnings(query)] };
  }

  private ranking(profile: Profile, { features, documents }: RankTest): Ranking {
    const overrides = new Map([...documents.flatMap((each) => [...each.features]), ...features]);
    const types = [...overrides].map(([name, value]) => `${name} ${typeInValue(value)}`);
    const key = JSON.stringify([profile.schema.name.text, profile.name, ...types.sort()]);
    const ranking =
      this.rankings.get(key) ??
      new Ranking({ package: this.from, profile, overrides, options: this.options });
    this.rankings.set(key, ranking);
    return ranking;
  }
}

/** A file that could not be read as tests, as a test that did not end well. */
export function unreadableTestFile(source: Source, problems: readonly Problem[]): RankTestResult {
  const span = { source, start: 0, end: 0 };
  const none = { inputs: new Map(), parameters: new Map(), properties: new Map(), features: new Map() };
  const test: RankTest = {
    ...none,
    name: source.name,
    span,
    profile: { name: "", span },
    documents: [],
    parents: undefined,
    isList: false,
    neighbours: undefined,
    now: undefined,
    tolerance: 0,
    expected: [],
  };
  return { test, differences: [], problems, warnings: [] };
}

const noDocument: TestDocument = { id: undefined, fields: new Map(), features: new Map() };

const isOfTheList = (name: string): boolean => ["score", "ranking", "scores", "global-phase"].includes(name);

/** What is expected of a function or feature needs no score, and so none of the features that only a score needs. */
async function unranked(
  scorer: Scorer,
  hits: readonly HitToScore[],
  profile: Profile,
): Promise<readonly RankedDocument[]> {
  try {
    return await rankDocuments(scorer, hits, { profile });
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    const none = Number.NaN;
    return hits.map((hit, document) => ({ document, hit, list: new Map(), score: none, first: none }));
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof SphexError) return error.problems;
  throw error;
}

function compare(
  test: RankTest,
  expected: Expectation,
  scorer: Scorer,
  ranked: readonly RankedDocument[],
): FoundDifference[] {
  const { name, span, value } = expected;
  if (name === "ranking") {
    const order = orderDifferences(ranked.map(documentId), namesIn(value));
    return order.map((each) => ({ ...each, span, because: [] }));
  }
  if (name === "scores" && (value.kind === "object" || value.kind === "array")) {
    return expectedScores(value).flatMap(({ id, rank, value: expectedScore }) => {
      const hit = rank === undefined ? ranked.find((each) => isSameId(documentId(each), id)) : ranked[rank];
      const score = readFeature(id, expectedScore, TensorType.scalar);
      if (hit === undefined)
        return [{ name: id, expected: `${score.at(0)}`, found: "no such hit", span, because: [] }];
      const because = valuesBehind("score", scorer, hit);
      return differences(id, scalar(hit.score), score, test.tolerance).map((each) => ({
        ...each,
        span,
        because,
      }));
    });
  }
  const [hit] = ranked;
  if (hit === undefined) return [{ name, expected: shownValue(value), found: "no hit", span, because: [] }];
  const found = valueNamed(name, span, scorer, hit);
  const expectedValue = readFeature(name, value, found.type.withCells("double"));
  const because = valuesBehind(name, scorer, hit);
  return differences(name, found, expectedValue, test.tolerance).map((each) => ({ ...each, span, because }));
}

interface ExpectedScore {
  readonly id: string;
  /** Where the hit is in the list, if that names it. */
  readonly rank?: number;
  readonly value: JsonValue;
}

/** By id, as a map or as a list of maps, with the id as a key or beside its `score`; or numbers in the order of the hits. */
function expectedScores(value: JsonValue): ExpectedScore[] {
  if (value.kind === "object") return [...value.entries()].map(([id, each]) => ({ id, value: each }));
  return [...value.items()].flatMap((each, rank): ExpectedScore[] => {
    const [id, score] = [each.member("id")?.label, each.member("score")];
    if (id !== undefined && score !== undefined) return [{ id, value: score }];
    return each.kind === "object" ? expectedScores(each) : [{ id: `hit ${rank + 1}`, rank, value: each }];
  });
}

const scalar = (value: number): Tensor => Tensor.scalar(value, TensorType.scalar);

const namesIn = (value: JsonValue): string[] =>
  value.kind === "array" ? Array.from(value.items(), nameIn) : [nameIn(value)];

const nameIn = (value: JsonValue): string => value.label ?? shownValue(value);

const shownValue = ({ value }: JsonValue): string =>
  typeof value === "object" ? JSON.stringify(value) : `${value}`;

/** The value of the score, of a phase, of a function or of a feature. */
function valueNamed(name: string, span: Span, scorer: Scorer, hit: RankedDocument): Tensor {
  if (name === "score") return scalar(hit.score);
  const [key] = keysOf(name, scorer);
  if (key !== undefined) return scorer.value(key, hit.hit, hit.list);
  if (scorer.program.uses.has(name)) {
    const feature = scorer.feature(name, hit.hit, hit.list);
    if (isMissing(feature)) throw scorer.lacking(name, [feature]);
    return feature.value;
  }
  const names = [
    "score",
    ...scorer.program.quantities.map((each) => each.name),
    ...scorer.program.uses.keys(),
  ];
  throw new SphexError([problem("test/expected", span, { name, nearest: nearest(name, names) })]);
}

function keysOf(name: string, { program }: Scorer): string[] {
  const inner = featureKey(name);
  return program.quantities.filter((each) => each.name === inner || each.key === inner).map(({ key }) => key);
}

/** The functions and features that a value is made of, with their values. */
function valuesBehind(
  name: string,
  scorer: Scorer,
  { hit, list }: RankedDocument,
): { readonly name: string; readonly value: Tensor }[] {
  const phases = scorer.program.quantities.filter(({ kind }) => kind === "phase").map(({ key }) => key);
  const keys = name === "score" ? phases : keysOf(name, scorer).slice(0, 1);
  const parts = keys.flatMap((key) => scorer.program.functionsIn(key).map((each) => each.key));
  const inner = [...(name === "score" ? keys : []), ...new Set(parts)];
  const computed = [...scorer.values(inner, hit, list)].flatMap(([key, outcome]) =>
    outcome.kind === "value" ? [{ name: key, value: outcome.value }] : [],
  );
  const features = scorer
    .features(keys, hit, list)
    .filter((each): each is FeatureValue => !isMissing(each))
    .filter(({ origin }) => origin !== "constant");
  return [...computed, ...features.map(({ name, value }) => ({ name, value }))];
}
