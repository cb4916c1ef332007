import { type Problem, SphexError } from "../../index.js";
import {
  completedQuery,
  corpusOf,
  Document,
  featureSetting,
  featuresOf,
  type HitToScore,
  hitName,
  type InjectedFeatures,
  type Package,
  type ParsedQuery,
  readFeed,
  readQuery,
  readResponse,
} from "../../vespa.js";
import type { FeatureTexts, ProfileRequest } from "./profile-request.js";
import { shownId } from "./ranked-hits.js";

/** What the texts of a request hold, with all that is wrong with them. */
export interface ProfileInputs {
  readonly hits: readonly HitToScore[];
  readonly query: ParsedQuery["query"];
  /** What was filled in. */
  readonly filled: InjectedFeatures;
  /** What of it counts for all hits: of what a response says of some, it counts for the others alone. */
  readonly overrides: InjectedFeatures;
  /** What a response says of any hit, for the types of features. */
  readonly fallbacks: InjectedFeatures;
  /** The order of the response. */
  readonly previous: readonly { readonly id: string; readonly score: number }[];
  readonly problems: readonly Problem[];
}

/** The most cells of a tensor in a document. */
export const mostCells = 5_000_000;

export function inputsOf(request: ProfileRequest, from: Package): ProfileInputs {
  const problems: Problem[] = [];
  const fed = documentsIn(request.documents, problems);
  const { query, problems: ofQuery } = queryIn(request.query, from);
  for (const each of ofQuery) problems.push(each);
  const filled = featuresIn(request.features, problems);
  const response = responseIn(request.response, problems);
  // Without any, types and whatever needs no document are shown all the same.
  const documents = fed.length > 0 ? fed : [new Document(undefined, new Map(), mostCells)];
  const byId = new Map(fed.map((document) => [document.id, document]));
  const hits =
    response.length === 0
      ? documents.map((document): HitToScore => ({ document }))
      : response.map((hit): HitToScore => {
          const document = byId.get(hitName(hit)) ?? new Document(hitName(hit), hit.fields, mostCells, false);
          return { document, fallbacks: featuresOf(hit) };
        });
  const told = new Map(hits.flatMap(({ fallbacks }) => [...(fallbacks ?? [])]));
  const missing: InjectedFeatures = new Map([...filled].filter(([name]) => told.has(name)));
  const others: InjectedFeatures = new Map([...filled].filter(([name]) => !told.has(name)));
  return {
    hits: hits.map((hit) =>
      missing.size === 0 ? hit : { ...hit, fallbacks: new Map([...missing, ...(hit.fallbacks ?? [])]) },
    ),
    query,
    filled,
    overrides: others,
    fallbacks: told,
    previous: response.map((hit) => ({ id: hitName(hit), score: hit.relevance })),
    problems,
  };
}

/** Documents with the features that were set for them alone, by the ids that they are shown with. */
export function withOwnFeatures(
  hits: readonly HitToScore[],
  features: ProfileRequest["documentFeatures"],
): { readonly hits: readonly HitToScore[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const withOwn = hits.map((hit, at): HitToScore => {
    const own = features[shownId(hit, at)];
    return own === undefined ? hit : { ...hit, overrides: featuresIn(own, problems) };
  });
  return { hits: withOwn, problems };
}

function documentsIn(text: string, problems: Problem[]): readonly Document[] {
  if (text.trim() === "") return [];
  const { documents, problems: own } = corpusOf(readFeed({ name: "documents", text }));
  for (const each of own) problems.push(each);
  return documents.map(({ id, fields }) => new Document(id, fields, mostCells));
}

/** A query with what the query profiles of the package add to it. */
function queryIn(text: string, from: Package): ParsedQuery {
  const read = text.trim() === "" ? { query: undefined, problems: [] } : readQuery({ name: "query", text });
  if (read.problems.length > 0) return read;
  return completedQuery(read.query, from);
}

function responseIn(text: string, problems: Problem[]) {
  if (text.trim() === "") return [];
  const read = readResponse({ name: "response", text });
  for (const each of read.problems) problems.push(each);
  return read.response?.hits ?? [];
}

/** A field of the form that is empty gives no value. */
function featuresIn(texts: FeatureTexts, problems: Problem[]): InjectedFeatures {
  const features: ReturnType<typeof featureSetting>[] = [];
  for (const [name, text] of Object.entries(texts)) {
    if (text.trim() === "") continue;
    try {
      features.push(featureSetting(`${name}=${text}`));
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      for (const each of error.problems) problems.push(each);
    }
  }
  return new Map(features);
}
