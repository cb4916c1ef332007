import type { JsonValue } from "../../../formats/json/value.js";
import { Suggestions } from "../../../language/source/nearest.js";
import type { Problem } from "../../../language/source/problem.js";
import { textIn } from "../../../language/source/span.js";
import { parameterText } from "../../documents/query.js";
import {
  type Feature,
  type FeatureListName,
  featureListNames,
  type Package,
  type Profile,
  type RankProfile,
} from "../../package/model/model.js";
import { rankFeatures } from "../../package/rank-features/rank-features.js";
import { featureKey } from "../features/injected-features.js";
import { problem } from "../messages.js";
import { operatorsOf } from "../neighbours/nearest-neighbour.js";
import { isQueryFor } from "../neighbours/nearest-vector.js";
import type { ProfileProgram } from "../program/program.js";
import { ineffective } from "./query-parameters.js";
import type { QueryInputs } from "./setting.js";

/** What a query gives in vain, or asks for that is not done here. */
export function queryWarnings(
  query: QueryInputs | undefined,
  { package: from, profile }: { readonly package: Package; readonly profile: Profile },
  program: ProfileProgram,
): readonly Problem[] {
  if (query === undefined) return [];
  return [
    ...inputProblems(query, profile, {
      read: new Set([...program.inputs, ...ofOthers(from, profile)]),
      texts: textsRead(program),
    }),
    ...parameterProblems(query),
    ...(query.repeated ?? []).map((each) => problem("ranking/repeated", each.value.span, each)),
    ...propertyProblems(query, program),
  ];
}

/** What the other rank profiles declare and read: one file of a request may serve several. */
const ofOthers = ({ schemas }: Package, { lineage }: Profile): string[] =>
  [...schemas.values()].flatMap(({ profiles }) =>
    [...profiles.values()].flatMap((each) => [
      ...mentioned(each, (list) => list?.features ?? []),
      ...(lineage.includes(each) ? [] : each.inputs.keys()),
    ]),
  );

/** The inputs whose text `tensorFromWeightedSet(query(w))` and its like read, and that nothing reads as a number. */
function textsRead({ uses }: ProfileProgram): ReadonlySet<string> {
  const sources = [...uses.values()].flatMap(({ call }) =>
    call.head === "tensorFromLabels" || call.head === "tensorFromWeightedSet"
      ? call.arguments.slice(0, 1)
      : [],
  );
  return new Set(sources.filter((name) => !uses.has(name)));
}

/** Inputs of the request that nothing reads, and those that are no numbers where nothing declares what they are. */
function inputProblems(
  query: QueryInputs,
  profile: Profile,
  { read: inputs, texts }: { readonly read: ReadonlySet<string>; readonly texts: ReadonlySet<string> },
): Problem[] {
  const searched = (operatorsOf(query) ?? []).map((each) => `query(${each.query})`);
  const read = new Set([...inputs, ...mentioned(profile, (list) => list ?? []), ...searched]);
  const suggestions = new Suggestions();
  return [...query.inputs].flatMap(([written, value]): Problem[] => {
    const name = featureKey(written);
    if (query.added?.has(name) === true) return [];
    if (!read.has(name)) {
      const isDeclared = profile.inputs.has(name);
      const nearest = isDeclared
        ? undefined
        : suggestions.nearest(name, () => [...read, ...profile.inputs.keys()]);
      return [problem("ranking/unread-input", value.span, { name, isDeclared, nearest })];
    }
    const isUndeclared = name.startsWith("query(") && !profile.inputs.has(name) && !texts.has(name);
    return isUndeclared && !isNumber(value)
      ? [problem("ranking/undeclared-input", value.span, { name, found: value })]
      : [];
  });
}

/** The inputs that the texts of a profile mention, those of functions among them whose values are given. */
function mentioned<List>(
  profile: Pick<RankProfile, "functions" | "phases" | "models"> & {
    readonly features: Partial<Readonly<Record<FeatureListName, List>>>;
  },
  listed: (list: List | undefined) => readonly Feature[],
): string[] {
  const { functions, phases, features, models } = profile;
  const expressions = [
    ...[...functions.values()].map((each) => each.expression),
    ...Object.values(phases).flatMap((each) => each?.expression ?? []),
    ...featureListNames.flatMap((name) => listed(features[name]).map((each) => each.expression)),
  ];
  const texts = [
    ...expressions.map(({ span }) => textIn(span)),
    ...[...models.values()].flatMap((each) => [...each.inputs.values()]),
  ];
  return texts.flatMap((text) =>
    Array.from(text.matchAll(/\bquery\s*\(\s*([\w@$.-]+)\s*\)/g), ([, name]) => `query(${name})`),
  );
}

const isNumber = ({ scalar }: JsonValue): boolean =>
  scalar !== undefined && scalar !== null && scalar !== "" && !Number.isNaN(Number(scalar));

function parameterProblems({ parameters }: QueryInputs): Problem[] {
  const told = new Set<string>();
  return [...parameters].flatMap(([name, value]): Problem[] => {
    const at = name.search(/\bquery\(/);
    if (at >= 0) return [problem("ranking/input-name", value.span, { name, input: name.slice(at) })];
    const found = Object.entries(ineffective).find(([key]) => name === key || name.startsWith(`${key}.`));
    if (found === undefined || told.has(found[1])) return [];
    told.add(found[1]);
    return [problem("ranking/parameter", value.span, { name, effect: found[1] })];
  });
}

/** Rank properties that only a rank profile can have, and lists with commas between their items. */
function propertyProblems({ properties, inputs }: QueryInputs, { uses }: ProfileProgram): Problem[] {
  const deployed = [...properties].flatMap(([key, { span }]): Problem[] => {
    const [, head = ""] = /^(\w+)[.(]/.exec(key) ?? [];
    const isDeployed = Object.hasOwn(rankFeatures, head) && head !== "query" && head !== "dotProduct";
    return isDeployed ? [problem("ranking/deployed-property", span, { key })] : [];
  });
  const lists = [...uses.values()].flatMap(
    ({
      call: {
        head,
        arguments: [first = "", second = ""],
      },
    }) => {
      const [, name] = head === "tensorFromLabels" ? (/^query\((.*)\)$/.exec(first) ?? []) : [];
      return name ?? (head === "dotProduct" ? `dotProduct.${second}` : []);
    },
  );
  const commas = [...new Set(lists)].flatMap((name): Problem[] => {
    const found = properties.get(name) ?? inputs.get(`query(${name})`);
    return found !== undefined && isListWithCommas(parameterText(found))
      ? [problem("ranking/commas", found.span, { name, found })]
      : [];
  });
  return [...deployed, ...commas];
}

const isListWithCommas = (text: string): boolean =>
  text.startsWith("[") && text.endsWith("]") && text.includes(",");

/** The operators `nearestNeighbor` of the YQL that Vespa refuses: each compares a tensor of the query with a field of its type. */
export function neighbourProblems(
  query: QueryInputs | undefined,
  { fields, inputs, isPartial }: Profile,
  isUnset: (input: string) => boolean,
): Problem[] {
  const yql = query?.parameters.get("yql");
  if (yql === undefined) return [];
  const { span } = yql;
  return (operatorsOf(query) ?? []).flatMap((search): Problem[] => {
    const field = fields.get(search.field);
    const input = inputs.get(`query(${search.query})`);
    if (field === undefined)
      return isPartial ? [] : [problem("ranking/neighbours", span, { ...search, fault: "no field" })];
    const { tensorType } = field;
    if (input === undefined) return [problem("ranking/neighbours", span, { ...search, fault: "undeclared" })];
    if (
      tensorType === undefined ||
      !field.isAttribute ||
      tensorType.indexed.length !== 1 ||
      tensorType.mapped.length > 1
    )
      return [
        problem("ranking/neighbours", span, { ...search, fault: { kind: "field", type: field.typeText } }),
      ];
    if (isQueryFor(input.type, tensorType))
      return isUnset(search.query)
        ? [problem("ranking/neighbours", span, { ...search, fault: "unset" })]
        : [];
    const fault = { kind: "types", field: tensorType, query: input.type } as const;
    return [problem("ranking/neighbours", span, { ...search, fault })];
  });
}
