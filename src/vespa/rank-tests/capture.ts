import type { JsonValue } from "../../formats/json/value.js";
import { withinMachine } from "../../language/limits/overflow.js";
import { visibleJson } from "../../language/source/hidden-characters.js";
import type { Query } from "../documents/query.js";
import { type Hit, hitName } from "../documents/response.js";
import { scoreFeatures } from "../package/schemas/profiles/reserved-names.js";
import type { Ranking } from "../ranking/compile.js";
import { featureKey } from "../ranking/features/injected-features.js";
import { expectedName } from "./expected-name.js";

/**
 * A response as tests that replay it: the features that its hits have are given, and their relevance and the values of
 * functions are expected. No document is needed, as far as the profile's match features tell enough.
 */

/** Options of `captureText`. */
export interface CaptureOptions {
  /** What messages call the response. */
  readonly name: string;
  readonly profile: string;
  /**
   * The profile where its package is at hand, compiled with what the response says as fallbacks: it tells what is computed from what
   * is given.
   */
  readonly ranking?: Ranking | undefined;
  readonly query?: Query | undefined;
  /** The path of the package from the test, where it is not found by itself. */
  readonly package?: string | undefined;
}

/** The text of a file of rank tests. */
export function captureText(hits: readonly Hit[], options: CaptureOptions): string {
  const { name, profile, query } = options;
  const isList = needsList(options.ranking, hits.length);
  const lines = [
    `# The response in ${name}, captured: what it says of each hit is given, its relevance is expected.`,
    ...(options.package === undefined ? [] : [`package: ${json(options.package)}`]),
    `profile: ${json(profile)}`,
    ...queryLines(query),
    "# Responses come with the precision of floats.",
    "tolerance: 1.0e-5",
    ...(isList ? listLines(hits, options) : ["cases:", ...hits.flatMap((hit) => caseLines(hit, options))]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The scores of hits depend on each other where there is something to normalize, or not all of them are ranked anew. */
function needsList(ranking: Ranking | undefined, hits: number): boolean {
  if (ranking === undefined) return false;
  const { phases } = ranking.profile;
  const counts = (["second-phase", "global-phase"] as const).flatMap((name) => {
    const phase = phases[name];
    return phase?.expression === undefined ? [] : [phase.rerankCount ?? 100];
  });
  return ranking.program.needsList || counts.some((count) => count < hits);
}

/** Parameters of a request that say nothing of scores, or what the file says already. */
const ofResponse =
  /^(?:hits|offset|limit|timeout|summary|format|maxHits|maxOffset|queryProfile|ranking(?:\.profile)?|(?:presentation|trace|metrics|renderer|model\.restrict)(?:\..*)?)$/;

function queryLines(query: Query | undefined): string[] {
  if (query === undefined) return [];
  const inputs = [...query.inputs].map(([name, value]) => [`input.${name}`, value] as const);
  const properties = [...query.properties].map(
    ([name, value]) => [`ranking.properties.${name}`, value] as const,
  );
  const parameters = [...query.parameters].filter(([name]) => !ofResponse.test(name));
  const all = [...inputs, ...properties, ...parameters];
  return all.length === 0
    ? []
    : ["query:", ...all.map(([name, value]) => `  ${json(name)}: ${valueJson(value)}`)];
}

function caseLines(hit: Hit, options: CaptureOptions): string[] {
  const { supplied, computed } = split(hit, options);
  return [
    `  - name: ${json(hitName(hit))}`,
    ...(supplied.length === 0 ? [] : ["    features:", ...supplied.map((line) => `      ${line}`)]),
    "    expect:",
    `      score: ${number(hit.relevance)}`,
    ...computed.map((line) => `      ${line}`),
  ];
}

function listLines(hits: readonly Hit[], options: CaptureOptions): string[] {
  const documents = hits.flatMap((hit) => {
    const { supplied } = split(hit, options);
    const features =
      supplied.length === 0 ? [] : ["    features:", ...supplied.map((line) => `      ${line}`)];
    return [`  - id: ${json(hitName(hit))}`, "    fields: {}", ...features];
  });
  return [
    "documents:",
    ...documents,
    "expect:",
    "  ranking:",
    ...hits.map((hit) => `    - ${json(hitName(hit))}`),
    "  scores:",
    ...hits.map((hit) => `    ${json(hitName(hit))}: ${number(hit.relevance)}`),
  ];
}

/** Features to give, and values that are to be found again: those that can be computed. */
function split(
  { features }: Hit,
  { ranking }: CaptureOptions,
): { readonly supplied: readonly string[]; readonly computed: readonly string[] } {
  const [supplied, computed]: [string[], string[]] = [[], []];
  for (const [name, value] of features) {
    const key = featureKey(name);
    const kind = kindOf(name, key, ranking);
    if (kind === "supplied") supplied.push(`${json(key)}: ${valueJson(value)}`);
    if (kind === "computed") computed.push(`${json(expectedName(key))}: ${valueJson(value)}`);
  }
  return { supplied, computed };
}

/** What a test makes of a value that a hit has: it is given, or expected, or neither. */
function kindOf(
  name: string,
  key: string,
  ranking: Ranking | undefined,
): "supplied" | "computed" | undefined {
  if (scoreFeatures.has(key)) return undefined;
  if (ranking === undefined) return key === name ? "supplied" : "computed";
  if (ranking.profile.functions.has(key)) return ranking.taken.includes(key) ? "supplied" : "computed";
  const { quantities, uses } = ranking.program;
  // An expression in a list of features is computed of others, and nothing reads it.
  const listed = uses.has(key) ? undefined : quantities.find((each) => each.name === key);
  if (listed === undefined) return "supplied";
  return ranking.isComputable(listed.key) ? "computed" : undefined;
}

/** YAML reads JSON, and keys of any form in quotes. */
const json = (text: string): string => JSON.stringify(text);

const valueJson = (value: JsonValue): string => withinMachine(value.span, () => visibleJson(value.value));

const number = (value: number): string =>
  Number.isFinite(value) ? visibleJson(value) : Number.isNaN(value) ? ".nan" : value > 0 ? ".inf" : "-.inf";
