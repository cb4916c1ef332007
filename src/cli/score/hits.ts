import type { BackendName, Problem } from "../../index.js";
import {
  Document,
  featuresOf,
  type HitToScore,
  hitName,
  type Imports,
  joinedHits,
  type Parents,
  type Profile,
  parentsOf,
} from "../../vespa.js";
import type { ModelRuntime } from "../models/onnx-runtime.js";
import { documentsAt, mostCells, responseAt } from "../packages/ranking-inputs.js";
import { writeProblems } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** The flags of `sphex score`. */
export interface ScoreFlags {
  readonly profile?: string;
  readonly document?: string;
  readonly documents?: string;
  readonly query?: string;
  readonly features?: readonly string[];
  readonly feature?: readonly string[];
  readonly response?: string;
  readonly compare?: string;
  readonly nearest?: readonly string[];
  readonly queries?: string;
  readonly judgments?: string;
  readonly against?: string;
  readonly againstRevision?: string;
  readonly againstProfile?: string;
  readonly sweep?: string;
  readonly at?: number;
  readonly seed?: number;
  readonly distributions?: boolean;
  readonly statistics?: string;
  readonly parents?: readonly string[];
  readonly now?: string | true;
  readonly top?: number;
  readonly explain?: string | true;
  readonly why?: string;
  readonly json?: boolean;
  readonly full?: boolean;
  readonly set?: readonly string[];
  readonly backend?: BackendName;
  readonly models?: ModelRuntime;
}

/** What the command line gives, by `--set` as everywhere, or by `--feature`. */
export const settingsOf = ({ feature = [], set = [] }: ScoreFlags): readonly string[] => [...feature, ...set];

/** The hits that are scored, and what is wrong with documents that are none. */
export interface Hits {
  readonly hits: readonly HitToScore[];
  /** The documents of the feed, whatever their types. */
  readonly fed: readonly Document[];
  readonly problems: readonly Problem[];
  /** The order of the response that is compared. */
  readonly previous: readonly { readonly id: string; readonly score: number }[];
}

/** The hits to score: documents, with what a response knows of each; or the hits of a response alone. */
export async function hitsFor(flags: ScoreFlags, io: Io): Promise<Hits> {
  const path = flags.document ?? flags.documents;
  const feed = path === undefined ? undefined : await documentsAt(path, io);
  const responsePath = flags.response ?? flags.compare;
  const response = responsePath === undefined ? undefined : await responseAt(responsePath, io);
  const problems = feed?.problems ?? [];
  const fed = feed?.documents ?? [];
  const documents = new Map(fed.map((document) => [document.id, document]));
  if (response === undefined) {
    return { hits: fed.map((document): HitToScore => ({ document })), fed, problems, previous: [] };
  }
  const previous = response.hits.map((hit) => ({ id: hitName(hit), score: hit.relevance }));
  const ofResponse = response.hits.map((hit): HitToScore => {
    const id = hitName(hit);
    return {
      document: documents.get(id) ?? new Document(id, hit.fields, mostCells, false),
      fallbacks: featuresOf(hit),
    };
  });
  if (flags.compare !== undefined || feed === undefined) return { hits: ofResponse, fed, problems, previous };
  const hits = feed.documents.map((document, at): HitToScore => {
    const same = ofResponse.find((hit) => hit.document.id === document.id);
    const only = feed.documents.length === 1 && ofResponse.length === 1 ? ofResponse[at] : undefined;
    return { document, fallbacks: (same ?? only)?.fallbacks };
  });
  return { hits, fed, problems, previous };
}

/** The documents of `--parents`, by id; what is wrong with them is written. */
export async function parentsAt(paths: ScoreFlags["parents"], io: Io): Promise<Parents | undefined> {
  if (paths === undefined) return undefined;
  const feeds = [];
  for (const path of paths) feeds.push(await documentsAt(path, io));
  await writeProblems(
    feeds.flatMap(({ problems }) => problems),
    io,
  );
  return parentsOf(feeds.flatMap(({ documents }) => documents));
}

/** Hits with the fields that the documents of a profile import; writes which of their parents are not there. */
export async function withImports(
  hits: readonly HitToScore[],
  imports: Imports,
  profile: Profile,
  io: Io,
): Promise<{ readonly hits: readonly HitToScore[]; readonly hasParents: boolean }> {
  const joined = joinedHits(hits, imports, profile);
  await writeProblems(joined.problems, io);
  return joined;
}
