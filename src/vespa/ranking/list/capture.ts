import type { JsonValue } from "../../../formats/json/value.js";
import { withinMachine } from "../../../language/limits/overflow.js";
import type { Query } from "../../documents/query.js";
import type { Hit } from "../../documents/response.js";
import type { Profile } from "../../package/model/model.js";
import { featureKey } from "../features/injected-features.js";

/**
 * A response as tests that replay it: the features that its hits have are given, and their relevance and the values of
 * functions are expected. No document is needed, as far as the profile's match features tell enough.
 */

/** Options of `captureText`. */
export interface CaptureOptions {
  /** What messages call the response. */
  readonly name: string;
  readonly profile: string;
  /** The profile where its package is at hand: it tells functions from features. */
  readonly definition?: Profile | undefined;
  /** The functions of it that cannot be computed from the response alone. */
  readonly taken?: readonly string[];
  readonly query?: Query | undefined;
  /** The path of the package from the test, where it is not found by itself. */
  readonly package?: string | undefined;
}

/** The text of a file of rank tests. */
export function captureText(hits: readonly Hit[], options: CaptureOptions): string {
  const { name, profile, query } = options;
  const isList = needsList(options.definition, hits.length);
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
function needsList(profile: Profile | undefined, hits: number): boolean {
  const global = profile?.phases["global-phase"]?.expression?.span;
  const text = global?.source.text.slice(global.start, global.end) ?? "";
  const counts = (["second-phase", "global-phase"] as const).flatMap((name) => {
    const phase = profile?.phases[name];
    return phase?.expression === undefined ? [] : [phase.rerankCount ?? 100];
  });
  return /\b(?:normalize_linear|reciprocal_rank)/.test(text) || counts.some((count) => count < hits);
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

/** Features to give, and functions whose values are to be found again: those that can be computed. */
function split(
  { features }: Hit,
  { definition, taken = [] }: CaptureOptions,
): { readonly supplied: readonly string[]; readonly computed: readonly string[] } {
  const lines = [...features].map(([name, value]) => {
    const key = featureKey(name);
    const isFunction = definition?.functions.has(key) ?? key !== name;
    const isPhase = ["firstPhase", "secondPhase", "relevanceScore"].includes(key);
    return {
      isComputed: (isFunction && !taken.includes(key)) || isPhase,
      isPhase,
      text: `${json(key)}: ${valueJson(value)}`,
    };
  });
  const texts = (isComputed: boolean): string[] =>
    lines.filter((line) => line.isComputed === isComputed && !line.isPhase).map(({ text }) => text);
  return { supplied: texts(false), computed: texts(true) };
}

/** The name of a hit: the id of its document where the response has it. */
export function hitName({ id, fields, whole }: Pick<Hit, "id" | "fields" | "whole">): string {
  const documentId = fields.get("documentid")?.value;
  return typeof documentId === "string" ? documentId : (id ?? `${whole.path}`);
}

/** YAML reads JSON, and keys of any form in quotes. */
const json = (text: string): string => JSON.stringify(text);

const valueJson = (value: JsonValue): string => withinMachine(value.span, () => JSON.stringify(value.value));

const number = (value: number): string =>
  Number.isFinite(value) ? `${value}` : Number.isNaN(value) ? ".nan" : value > 0 ? ".inf" : "-.inf";
