import { type Problem, SphexError, showProblem, showTensor, type Tensor } from "../../index.js";
import {
  type CheckedPackage,
  checkPackage,
  type HitToScore,
  hitsOfSchema,
  joinedHits,
  type Package,
  type Profile,
  profileName,
  profileNames,
  type RankedDocument,
  Ranking,
  rankMoves,
  readPackage,
  reasonText,
  type ScoreReport,
  type Scorer,
  scoreReport,
  soundProfile,
  statisticsOf,
  templateOf,
  typeInValue,
} from "../../vespa.js";
import { packageOf } from "./package-texts.js";
import { inputsOf, mostCells, type ProfileInputs, withOwnFeatures } from "./profile-inputs.js";
import type {
  LackingFeature,
  ProfileHit,
  ProfileProblem,
  ProfileReport,
  ProfileRequest,
  ProfileValue,
} from "./profile-request.js";
import { type RankedHit, rankedHits } from "./ranked-hits.js";
import { scalarInputs } from "./scalar-inputs.js";

/** A package as it was read last, with a profile compiled: a slider then only runs it again. */
export class ProfileScorer {
  private packages: Memory<{ readonly read: Package; readonly checked: CheckedPackage }> = {};
  private rankings: Memory<Ranking> = {};

  /** What a rank profile makes of documents and a query; whatever is wrong with them is in the report. */
  async report(request: ProfileRequest): Promise<ProfileReport> {
    const problems: ProfileProblem[] = [];
    const add = (found: readonly Problem[]): void => {
      for (const each of found.map(profileProblem))
        if (!problems.some(({ text }) => text === each.text)) problems.push(each);
    };
    if (request.files.length === 0) return emptyReport;
    const { read, checked } = remembered(this.packages, JSON.stringify(request.files), () => {
      const { files, options } = packageOf(request.files);
      const read = readPackage(files, options);
      return { read, checked: checkPackage(read) };
    });
    const profiles = [...new Set(profileNames(checked))];
    const empty = { ...emptyReport, profiles, problems };
    try {
      const inputs = inputsOf(request, read);
      // One that was chosen may have another name since, or belong to another schema.
      const chosen = profiles.find((each) => each === request.profile);
      const name = chosen ?? inputs.query?.profile ?? onlyProfile(checked);
      const profile = soundProfile(read, checked, name, spanOfName(name));
      const found = await this.scored(request, inputs, { read, profile, add }).catch((error: unknown) => {
        const hasFeatures = Object.keys({ ...request.features, ...request.documentFeatures }).length > 0;
        if (!(error instanceof SphexError) || !hasFeatures) throw error;
        // Without what was filled in all fields are there, to be filled in otherwise.
        add(error.problems);
        const plain = { ...request, features: {}, documentFeatures: {} };
        return this.scored(plain, inputsOf(plain, read), { read, profile, add });
      });
      return { ...empty, profile: profileName(checked, profile), ...found };
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      // What is wrong with the package says more than that a profile of it cannot be used.
      add(checked.problems.some(({ isError }) => isError) ? checked.problems : error.problems);
      return empty;
    }
  }

  private async scored(
    request: ProfileRequest,
    inputs: ProfileInputs,
    { read, profile, add }: Scoring,
  ): Promise<Omit<ProfileReport, "profiles" | "profile" | "problems">> {
    const { query, overrides, fallbacks } = inputs;
    add(inputs.problems);
    const { hits, hasParents } = hitsToScore(request, inputs, profile, add);
    const documents = hits.map(({ document }) => document);
    const statistics = request.countsWords
      ? statisticsOf(documents, [...profile.fields.values()])
      : undefined;
    // A request may say what time it is.
    const now = query?.parameters.has("ranking.freshness") === true ? undefined : request.now;
    const counted = statistics && { statistics };
    const setting = { query, now, cells: mostCells, hasParents, ...counted };
    const hasField = (name: string): boolean => documents.every((each) => each.isWhole || each.has(name));
    const key = JSON.stringify([
      request.files,
      profile.name,
      Array.from(overrides, ([name, value]) => `${name} ${typeInValue(value)}`),
      ...[request.documents, request.query, request.response, request.countsWords, now],
    ]);
    const ranking = remembered(
      this.rankings,
      key,
      () => new Ranking({ package: read, profile, overrides, fallbacks, setting, hasField }),
    );
    add(ranking.unknownFields(documents));
    add(ranking.warnings(query));
    const scorer = ranking.scorer(setting, overrides);
    const ranked = await rankedHits(hits, { scorer, profile, query }, add);
    return { hits: hitsOf(ranked, inputs), ...reported(ranked, request.selected, scorer, inputs) };
  }
}

/** The hits that a profile ranks, with the features that were set for each, and with the fields that they import. */
function hitsToScore(
  { documentFeatures }: ProfileRequest,
  { hits }: ProfileInputs,
  profile: Profile,
  add: Scoring["add"],
): { readonly hits: readonly HitToScore[]; readonly hasParents: boolean } {
  const ofSchema = hitsOfSchema(hits, profile);
  add(ofSchema.problems);
  const own = withOwnFeatures(ofSchema.hits, documentFeatures);
  add(own.problems);
  const joined = joinedHits(own.hits, { fed: hits.map(({ document }) => document) }, profile);
  add(joined.problems);
  return joined;
}

/** What is told of the document that was selected, or of the first; and what is missing of it and of those without a rank. */
function reported(
  ranked: readonly RankedHit[],
  selected: string | undefined,
  scorer: Scorer,
  { filled }: ProfileInputs,
): Pick<ProfileReport, "selected" | "values" | "features" | "missing" | "scalars"> {
  const shown = ranked.find((each) => each.id === selected) ?? ranked[0];
  const reportOf = (each: RankedHit): ScoreReport =>
    scoreReport(scorer, { ...each, score: each.ranked?.score });
  const report = shown && reportOf(shown);
  // What keeps others from being ranked is asked for, too.
  const others = ranked.filter((each) => each !== shown && each.ranked === undefined).map(reportOf);
  return {
    selected: shown?.id,
    ...valuesOf(report),
    missing: missingOf([...(report === undefined ? [] : [report]), ...others]),
    scalars: shown === undefined ? [] : scalarInputs(scorer, shown.hit, filled),
  };
}

/** The profile that inputs are scored with, and where what is wrong is noted. */
interface Scoring {
  readonly read: Package;
  readonly profile: Profile;
  readonly add: (found: readonly Problem[]) => void;
}

/** A value for the last key that it was made for. */
interface Memory<T> {
  key?: string;
  value?: T;
}

function remembered<T>(memory: Memory<T>, key: string, make: () => T): T {
  if (memory.key === key && memory.value !== undefined) return memory.value;
  const value = make();
  memory.key = key;
  memory.value = value;
  return value;
}

function hitsOf(ranked: readonly RankedHit[], { previous }: ProfileInputs): readonly ProfileHit[] {
  const scored = ranked.map(({ id, ranked }) => ({ id, score: ranked?.score ?? Number.NaN }));
  const before = new Map(rankMoves(previous, scored).map((each) => [each.id, each.before]));
  return ranked.map(({ id, ranked }) => ({
    id,
    score: ranked?.score,
    phases: phasesOf(ranked),
    before: before.get(id),
  }));
}

function phasesOf(ranked: RankedDocument | undefined): ProfileHit["phases"] {
  const all = { first: ranked?.first, second: ranked?.second, global: ranked?.global };
  return Object.entries(all).flatMap(([name, score]) => (score === undefined ? [] : [{ name, score }]));
}

function valuesOf(report: ScoreReport | undefined): Pick<ProfileReport, "values" | "features"> {
  if (report === undefined) return { values: [], features: [] };
  const values = report.rows.map(({ quantity, outcome }): ProfileValue => {
    const { name, kind, type } = quantity;
    const isValue = outcome.kind === "value";
    return {
      ...{ name, kind, type: type === undefined ? undefined : `${type}` },
      value: isValue ? tensorText(outcome.value) : undefined,
      missing: isValue ? [] : outcome.missing.map((each) => each.name),
    };
  });
  return {
    values,
    features: report.features.map(({ name, value, origin }) => ({
      ...{ name, origin, type: `${value.type}` },
      value: tensorText(value),
    })),
  };
}

/** What is missing of documents, each feature once. */
function missingOf(reports: readonly ScoreReport[]): readonly LackingFeature[] {
  const byName = new Map(reports.flatMap(({ missing }) => missing).map((each) => [each.name, each]));
  return Array.from(byName.values(), (each) => ({
    name: each.name,
    type: each.type === undefined ? undefined : `${each.type}`,
    reason: reasonText(each.reason),
    example: exampleOf(each),
  }));
}

/** The value in a template of one feature. */
function exampleOf(missing: Parameters<typeof templateOf>[0][number]): string {
  const template: Readonly<Record<string, unknown>> = JSON.parse(templateOf([missing]));
  return JSON.stringify(template[missing.name]);
}

const mostCharacters = 400;

function tensorText(tensor: Tensor): string {
  const text = showTensor(tensor, { format: "literal" });
  const value = tensor.type.isScalar ? text : text.slice(`${tensor.type}:`.length);
  return value.length <= mostCharacters ? value : `${value.slice(0, mostCharacters)}…`;
}

const profileProblem = (problem: Problem): ProfileProblem => ({
  isError: problem.isError,
  message: problem.message,
  text: showProblem(problem),
});

/** A package with profiles that only serve others has one that is meant: the last, which builds on them. */
function onlyProfile(checked: CheckedPackage): string | undefined {
  const all = checked.profiles.map(({ profile }) => profile);
  const meant = all.filter(({ name }) => name !== "default").at(-1) ?? all[0];
  return meant && profileName(checked, meant);
}

const spanOfName = (name = "") => ({ source: { name: "profile", text: name }, start: 0, end: name.length });

const emptyReport: ProfileReport = {
  profiles: [],
  profile: undefined,
  problems: [],
  hits: [],
  selected: undefined,
  values: [],
  features: [],
  missing: [],
  scalars: [],
};
