import { columnsOf, padded } from "../../language/source/columns.js";
import { greatest } from "../../language/source/lists.js";
import { positionOf } from "../../language/source/span.js";
import type { CheckedProfile, ComputedValue } from "./checks/check-profile.js";
import { phaseNames } from "./model/model.js";

/** What there is to know of a rank profile before it runs, as plain data. */
export interface ProfileDescription {
  readonly profile: string;
  readonly schema: string;
  readonly file: string;
  readonly line: number;
  /** All that it inherits, nearer ones first. */
  readonly inherits: readonly string[];
  readonly inputs: readonly (TypedName & { readonly default?: string })[];
  readonly constants: readonly (TypedName & { readonly from?: string })[];
  readonly functions: readonly (TypedName & { readonly parameters: readonly string[] })[];
  readonly phases: readonly (TypedName & {
    readonly rerankCount?: number;
    readonly scoreDropLimit?: number;
  })[];
  readonly matchFeatures: readonly TypedName[];
  readonly summaryFeatures: readonly TypedName[];
  /** What an engine, a query or a document gives to its expressions. */
  readonly features: readonly TypedName[];
}

/** A name and its type. Without a type where a mistake, a model or the arguments of a call decide. */
export interface TypedName {
  readonly name: string;
  readonly type: string | null;
}

/** What a rank profile computes: its inputs, functions and phases, with their types. */
export function describeProfile({ profile, computed, mentioned }: CheckedProfile): ProfileDescription {
  const [own] = profile.lineage;
  const typed = ({ name, type }: Pick<ComputedValue, "name" | "type">): TypedName => ({
    name,
    type: type === undefined ? null : `${type}`,
  });
  const ofKind = (kind: ComputedValue["kind"]): ComputedValue[] =>
    computed.filter((each) => each.kind === kind);
  const phases = phaseNames.flatMap((name) => {
    const phase = profile.phases[name];
    if (phase === undefined) return [];
    const { rerankCount, scoreDropLimit } = phase;
    const numbers = {
      ...(rerankCount === undefined ? {} : { rerankCount }),
      ...(scoreDropLimit === undefined ? {} : { scoreDropLimit }),
    };
    return [{ name, type: null, ...ofKind(name).map(typed)[0], ...numbers }];
  });
  return {
    profile: profile.name,
    schema: profile.schema.name.text,
    file: own?.name.span.source.name ?? profile.schema.source.name,
    line: own === undefined ? 1 : positionOf(own.name.span.source, own.name.span.start).line,
    inherits: profile.lineage.slice(1).map((each) => each.name.text),
    inputs: [...profile.inputs.values()].map((each) => {
      const value = each.default === undefined ? {} : { default: `${each.default}` };
      return { ...typed(each), ...value };
    }),
    constants: [...profile.constants.values()].map((each) => {
      const file = each.value !== undefined && "file" in each.value ? { from: each.value.file } : {};
      return { ...typed(each), ...file };
    }),
    functions: [...profile.functions.values()].map(({ name, parameters }) => {
      const found = ofKind("function").find((each) => each.name === name.text);
      return {
        ...typed({ name: name.text, type: found?.type }),
        parameters: parameters.map((each) => each.text),
      };
    }),
    phases,
    matchFeatures: ofKind("match-features").map(typed),
    summaryFeatures: ofKind("summary-features").map(typed),
    features: mentioned.map(typed).sort((one, other) => (one.name < other.name ? -1 : 1)),
  };
}

/** A rank profile for people: its parts with their types, one a line. */
export function showProfile(description: ProfileDescription): string {
  const above = description.inherits.length === 0 ? "" : ` inherits ${description.inherits.join(", ")}`;
  const parts: [string, readonly string[][]][] = [
    ["inputs", description.inputs.map((each) => [each.name, typeText(each), each.default ?? ""])],
    ["constants", description.constants.map((each) => [each.name, typeText(each), each.from ?? ""])],
    [
      "functions",
      description.functions.map((each) => {
        const list = each.parameters.length === 0 ? "" : `(${each.parameters.join(", ")})`;
        return [each.name + list, list === "" ? typeText(each) : "its arguments decide"];
      }),
    ],
    [
      "phases",
      description.phases.map((each) => {
        const count = each.rerankCount === undefined ? "" : `reranks ${each.rerankCount}`;
        const limit = each.scoreDropLimit === undefined ? "" : `drops ${each.scoreDropLimit} and less`;
        return [each.name, typeText(each), [count, limit].filter((one) => one !== "").join(", ")];
      }),
    ],
    ["match-features", description.matchFeatures.map((each) => [each.name, typeText(each)])],
    ["summary-features", description.summaryFeatures.map((each) => [each.name, typeText(each)])],
    ["rank features", description.features.map((each) => [each.name, typeText(each)])],
  ];
  const head = `rank-profile ${description.profile}${above}   (schema ${description.schema}, ${description.file}:${description.line})`;
  const shown = parts.filter(([, rows]) => rows.length > 0);
  return [head, ...shown.flatMap(([title, rows]) => [`  ${title}`, ...table(rows)])].join("\n");
}

const typeText = ({ type }: TypedName): string => type ?? "not known";

/** Rows in columns; the text of a long value is cut. */
function table(rows: readonly (readonly string[])[]): string[] {
  const plain = rows.map((row) => row.map((text) => visible(text)));
  const widths = [0, 1].map((at) => greatest(plain.map((row) => columnsOf(row[at] ?? ""))));
  return plain.map((row) =>
    `    ${row.map((text, at) => padded(text, widths[at] ?? 0, "end")).join("  ")}`.trimEnd(),
  );
}

const longest = 60;
const visible = (text: string): string => {
  const plain = text.replace(/\p{C}/gu, "\ufffd");
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
};
