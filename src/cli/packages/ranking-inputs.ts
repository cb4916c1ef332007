import { resolve } from "node:path";
import { type JsonValue, type Problem, parseJson, SphexError } from "../../index.js";
import {
  type CheckedPackage,
  checkPackage,
  completedQuery,
  corpusOf,
  Document,
  type Files,
  featureSetting,
  hasFirstPhase,
  type InjectedFeatures,
  type NeighbourSearch,
  type Package,
  type ParsedQuery,
  type Profile,
  readFeatures,
  readFeed,
  readPackage,
  readQuery,
  readResponse,
  type Statistics,
  soundProfile,
  statisticsIn,
  statisticsOf,
} from "../../vespa.js";
import { sourceAt } from "../files/sources.js";
import { type ModelRuntime, modelsFor } from "../models/onnx-runtime.js";
import { UsageError } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { packageAt } from "./package-files.js";

/** What the commands that run rank profiles share: packages, profiles, and the files that go into them. */
export interface LoadedPackage {
  readonly package: Package;
  readonly checked: CheckedPackage;
  /** The file of the schema that was named. */
  readonly only: string | undefined;
}

/** How a package is loaded. */
export interface LoadOptions {
  /** Called with the files that it reads. */
  readonly used?: (path: string) => void;
  /** What computes its models of ONNX, where that is not the programs that they become. */
  readonly models?: ModelRuntime | undefined;
}

/** Reads a package. */
export function loadPackage(path: string, io: Io, { used, models }: LoadOptions = {}): LoadedPackage {
  const { files, options, only } = packageAt(path, io);
  const parsed = readPackage(
    { ...files, read: (name) => readRecorded(name, files, options.root ?? "") },
    { ...options, models: modelsFor(models) },
  );
  return { package: parsed, checked: checkPackage(parsed), only };

  function readRecorded(name: string, { read }: Files, root: string): string {
    used?.(resolve(io.cwd, root, name));
    return read(name);
  }
}

/** The profile of a name. @throws SphexError where there is none, or it has mistakes. */
export function loadProfile(
  { package: read, checked, only }: LoadedPackage,
  name: string | undefined,
): Profile {
  const text = name ?? "";
  const span = { source: { name: "--profile", text }, start: 0, end: text.length };
  return soundProfile(read, checked, name, span, only);
}

/** The documents that there are after a feed, with what is wrong with it. */
export async function documentsAt(
  path: string,
  io: Io,
): Promise<{ readonly documents: readonly Document[]; readonly problems: readonly Problem[] }> {
  const source = await sourceAt(path, io);
  const { documents, problems } = corpusOf(readFeed(source));
  if (documents.length === 0 && !problems.some(({ isError }) => isError))
    throw new UsageError(`there is no document in ${source.name}`);
  return { documents: documents.map(({ id, fields }) => new Document(id, fields, mostCells)), problems };
}

/** Cells of any one tensor in a document or a query. */
export const mostCells = 50_000_000;

export async function queryAt(path: string | undefined, io: Io): Promise<ParsedQuery["query"]> {
  if (path === undefined) return undefined;
  const { query, problems } = readQuery(await sourceAt(path, io));
  if (query === undefined || problems.length > 0) throw new SphexError(problems);
  return query;
}

/**
 * A query with what the query profiles of a package add to it.
 * @throws SphexError where it names one that there is not.
 */
export function completed(
  query: ParsedQuery["query"],
  { package: from }: LoadedPackage,
): ParsedQuery["query"] {
  const { query: whole, problems } = completedQuery(query, from);
  if (problems.length > 0) throw new SphexError(problems);
  return whole;
}

export async function responseAt(path: string, io: Io) {
  const { response, problems } = readResponse(await sourceAt(path, io));
  if (response === undefined || problems.length > 0) throw new SphexError(problems);
  return response;
}

/** Features in files, and over them those of the command line. */
export async function featuresFrom(
  files: readonly string[] | undefined,
  settings: readonly string[] | undefined,
  io: Io,
): Promise<InjectedFeatures> {
  const all = new Map<string, JsonValue>();
  for (const path of files ?? []) {
    const { features, problems } = readFeatures(await sourceAt(path, io));
    if (problems.length > 0) throw new SphexError(problems);
    for (const [name, value] of features) all.set(name, value);
  }
  for (const text of settings ?? []) all.set(...featureSetting(text));
  return all;
}

/** `field=q`, or `label:field=q`: the field is compared with `query(q)`. */
export function nearestSearches(
  texts: readonly string[] | undefined,
  { fields, inputs, isPartial }: Profile,
): NeighbourSearch[] | undefined {
  return texts?.map((text) => {
    const [, label, field = "", query = ""] =
      /^(?:([^:=]+):)?([\w.]+)=(?:query\()?(\w+)\)?$/.exec(text.trim()) ?? [];
    if (field === "") throw new UsageError(`--nearest ${text}: write --nearest field=q, or label:field=q`);
    if (!isPartial && !fields.has(field))
      throw new UsageError(`--nearest ${text}: the schema has no field ${field}`);
    if (!inputs.has(`query(${query})`))
      throw new UsageError(`--nearest ${text}: the rank profile has no input query(${query})`);
    return { field, query, label };
  });
}

/**
 * Where statistics come from: what was asked for, or the feed where a profile without a first phase ranks it by
 * `nativeRank`, which is made of words.
 */
export function statisticsFor(
  { statistics, documents }: { readonly statistics?: string; readonly documents?: string },
  profile: Profile,
  features: InjectedFeatures,
): string | undefined {
  const isNeeded = documents !== undefined && !hasFirstPhase(profile) && !features.has("nativeRank");
  return statistics ?? (isNeeded ? "feed" : undefined);
}

/**
 * The statistics of a file, or of the documents themselves for `feed`. With them features of words are computed, and what
 * that takes for granted is said.
 */
export async function statisticsAt(
  path: string | undefined,
  documents: readonly Document[],
  profile: Profile,
  io: Io,
  hasReported = false,
): Promise<Statistics | undefined> {
  if (path === undefined) return undefined;
  const isFeed = path === "feed";
  const counted = isFeed
    ? statisticsOf(documents, [...profile.fields.values()])
    : await statisticsFrom(path, io);
  const count = documents.length === 1 ? "the one document" : `the ${documents.length} documents`;
  const whose = isFeed ? `${count} of the feed` : path;
  if (!hasReported)
    await write(
      io.stderr,
      `text features: words in lower case without accents, not stemmed; statistics of ${whose}\n`,
    );
  return counted;
}

async function statisticsFrom(path: string, io: Io): Promise<Statistics> {
  const { tree, problems } = parseJson(await sourceAt(path, io));
  if (problems.length > 0) throw new SphexError(problems);
  const found = tree === undefined ? undefined : statisticsIn(tree);
  if (found !== undefined) return found;
  throw new UsageError(
    `${path} must have documents, a number, and fields: each with averageLength and documents`,
  );
}

/** Seconds since 1970: as such, as a date, or the time that it is. */
export function queryTime(text: string | true | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === true) return Math.floor(Date.now() / 1000);
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Date.parse(text) / 1000;
  if (Number.isNaN(seconds)) throw new UsageError(`--now ${text} is neither seconds since 1970 nor a date`);
  return seconds;
}
