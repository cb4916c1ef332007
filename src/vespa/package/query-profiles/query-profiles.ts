import { readType } from "../../../formats/literal.js";
import { cyclesIn } from "../../../language/source/depth-first.js";
import { append } from "../../../language/source/lists.js";
import { Suggestions } from "../../../language/source/nearest.js";
import { isProblem } from "../../../language/source/problem.js";
import type { Word } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import type { Input, QueryProfile, QueryProfileField, QueryProfileFields } from "../model/model.js";
import { partOf, type Reading } from "../model/reading.js";
import { listed, nameOf, type QueryType, queryTypeOf, typedNames } from "./query-types.js";
import { reportFields } from "./typed-values.js";
import { isLater, profileOfId, versionOf } from "./versions.js";
import { readXml, type XmlElement } from "./xml.js";

/** Query profiles and their types lie in XML files of their own; beside a schema that lies alone they may, too. */
const folders = ["search/query-profiles", "query-profiles"];

export interface QueryProfiles {
  readonly profiles: ReadonlyMap<string, QueryProfile>;
  /**
   * Query features that types declare, the older place for what rank profiles declare as `inputs`:
   * `<field name="ranking.features.query(q)" type="tensor<float>(x[3])"/>`, or in a type within others.
   */
  readonly inputs: ReadonlyMap<string, Input>;
}

export function readQueryProfiles(reading: Reading): QueryProfiles {
  const draft = new QueryProfilesDraft(reading);
  for (const path of folders.flatMap((each) => reading.files.list(each)))
    if (path.endsWith(".xml")) draft.read(path);
  return draft.complete();
}

/** What the files of query profiles say, file by file. */
class QueryProfilesDraft {
  private readonly profiles = new Map<string, QueryProfile>();
  /** The id, with its version, of each profile that a request gets where it names none. */
  private readonly latest = new Map<string, string>();
  private readonly inputs = new Map<string, Input>();
  private readonly types = new Map<string, QueryType>();
  private readonly named: Named[] = [];
  /** A file is called as what is in it: what names one that cannot be read is no further mistake. */
  private readonly unread = new Set<string>();

  constructor(private readonly reading: Reading) {}

  read(path: string): void {
    const isType = path.includes("query-profiles/types/");
    const root = rootIn(path, isType ? "query-profile-type" : "query-profile", this.reading);
    const id = root?.attributes.get("id");
    if (root === undefined) this.unread.add(path.slice(path.lastIndexOf("/") + 1, -".xml".length));
    if (root === undefined || id === undefined) return;
    const file = fileNamed(path);
    if (file !== undefined && !stemsOf(id).has(file.replaceAll("_", "."))) {
      const values = { isType, id: id.trim(), file: `${file}.xml` };
      this.reading.report(problem("query/file-name", root.span, values));
    }
    if (isType) this.addType(id, root);
    else this.addProfile(id, root);
  }

  private addType(id: string, root: XmlElement): void {
    this.types.set(nameOf(id), queryTypeOf(root));
    append(this.named, typesIn(root));
    for (const input of root.children.flatMap((each) => inputOf(each) ?? []))
      if (!this.inputs.has(input.name)) this.inputs.set(input.name, input);
  }

  /** The latest version of a profile has its name; earlier ones are asked for by their whole ids. */
  private addProfile(id: string, root: XmlElement): void {
    const { profiles } = this;
    const profile = profileOf(id, root, this.named, this.reading);
    const earlier = this.latest.get(profile.id);
    if (earlier !== undefined && !isLater(profile.version, versionOf(earlier))) {
      if (!profiles.has(id.trim())) profiles.set(id.trim(), profile);
      return;
    }
    const other = profiles.get(profile.id);
    if (earlier !== undefined && other !== undefined) profiles.set(earlier.trim(), other);
    this.latest.set(profile.id, id);
    profiles.set(profile.id, profile);
  }

  complete(): QueryProfiles {
    const { profiles, inputs, reading } = this;
    this.reportUnknown();
    reportCycles(profiles, reading);
    for (const [id, profile] of profiles)
      profiles.set(id, { ...profile, typed: typedNames(profile.type, this.types) });
    for (const profile of profiles.values()) reportFields(profile, reading.report);
    return { profiles, inputs };
  }

  private reportUnknown(): void {
    const types = new Set([...builtIn, ...this.types.keys()]);
    const suggestions = new Suggestions();
    for (const { what, word } of this.named) {
      const existing = what === "type" ? types : this.profiles;
      const isKnown =
        what === "type" ? types.has(word.text) : profileOfId(word.text, this.profiles) !== undefined;
      if (isKnown || this.unread.has(nameOf(word.text))) continue;
      const nearest = suggestions.nearest(word.text, () => existing.keys());
      this.reading.report(problem("query/unknown-profile", word.span, { what, name: word.text, nearest }));
    }
  }
}

/** Types that there are without being written. */
const builtIn = [
  ...[
    "native",
    "model",
    "ranking",
    "presentation",
    "features",
    "properties",
    "matchPhase",
    "matching",
    "diversity",
  ],
  ...["softTimeout", "trace", "select", "streaming", "significance", "elementGap", "dispatch", "grouping"],
];

/** The types that a type names: those that it inherits, and those of its fields. */
function typesIn({ attributes, children, span }: XmlElement): Named[] {
  const inherited = listed(attributes.get("inherits"));
  const ofFields = children.flatMap((each): Word[] => {
    const [kind, name] = (each.attributes.get("type") ?? "").split(":");
    return each.name === "field" && kind === "query-profile" && name !== undefined
      ? [{ text: name.trim(), span: each.span }]
      : [];
  });
  const words = [...inherited.map((text): Word => ({ text: nameOf(text), span })), ...ofFields];
  return words.map((word) => ({ what: "type", word }));
}

/** What a query profile names. */
interface Named {
  readonly what: "inherits" | "reference" | "type";
  readonly word: Word;
}

function rootIn(path: string, name: string, reading: Reading): XmlElement | undefined {
  const nowhere = { source: { name: reading.files.nameOf(path), text: "" }, start: 0, end: 0 };
  const source = reading.files.load(path, nowhere);
  if (isProblem(source)) return undefined;
  const { root, problems } = readXml(source);
  append(reading.problems, problems);
  if (root === undefined) return undefined;
  if (root.name === name && root.attributes.has("id")) return root;
  return void reading.report(problem("query/profile", root.span, { expected: name }));
}

/** The name of a file that lies in the folder itself; those in further folders are not Vespa's to read. */
const fileNamed = (path: string): string | undefined =>
  /(?:^|\/)query-profiles\/(?:types\/)?([^/]+)\.xml$/.exec(path)?.[1];

/** What the file of an id may be called, `_` as a point: `a-1.2` for `a:1.2.0`. */
function stemsOf(id: string): ReadonlySet<string> {
  const [name = "", version = ""] = id.trim().replaceAll(/[/_]/g, ".").split(":");
  const parts = version.split(".");
  const last = parts.findLastIndex((part, at) => at === 0 || !isZero(part));
  const short = parts.slice(0, last + 1).join(".");
  if (version === "") return new Set([name]);
  return new Set([`${name}-${version}`, `${name}-${short}`, ...(isZero(short) ? [name] : [])]);
}

const isZero = (text: string): boolean => /^0+$/.test(text);

function profileOf(id: string, root: XmlElement, named: Named[], reading: Reading): QueryProfile {
  const { children, attributes, span } = root;
  const type = attributes.get("type");
  if (type !== undefined) named.push({ what: "type", word: { text: nameOf(type), span } });
  const dimensions = children.find(({ name }) => name === "dimensions")?.text ?? "";
  return {
    ...{ id: nameOf(id), version: versionOf(id), span, own: fieldsOf(root, named, reading) },
    ...(type === undefined ? {} : { type: nameOf(type) }),
    typed: typedNames(undefined, new Map()),
    dimensions: dimensions.split(",").flatMap((each) => each.trim() || []),
    variants: children
      .filter(({ name }) => name === "query-profile")
      .map((each) => ({
        for: (each.attributes.get("for") ?? "").split(",").map((value) => value.trim() || "*"),
        ...fieldsOf(each, named, reading),
      })),
  };
}

function fieldsOf(
  { attributes, span, children }: XmlElement,
  named: Named[],
  reading: Reading,
): QueryProfileFields {
  const inherits = listed(attributes.get("inherits")).map((text): Word => ({ text: text.trim(), span }));
  append(
    named,
    inherits.map((word) => ({ what: "inherits" as const, word })),
  );
  const fields = new Map<string, QueryProfileField>();
  for (const each of children) {
    const name = each.attributes.get("name");
    if (each.name !== "field" || name === undefined) continue;
    const reference = each.children.find((child) => child.name === "ref");
    const { text, textSpan } = reference ?? each;
    const isReference = reference !== undefined;
    if (isReference) named.push({ what: "reference", word: { text: text.trim(), span: textSpan } });
    if (text.lastIndexOf("%{") > text.lastIndexOf("}"))
      reading.report(problem("query/substitution", textSpan, {}));
    const overridable = each.attributes.get("overridable");
    fields.set(name, {
      ...{ text: isReference ? text.trim() : each.whole, span: textSpan, isReference },
      // One that is written twice has the last value, and the last word on being overridden.
      isFixed: overridable === undefined ? fields.get(name)?.isFixed : overridable === "false",
    });
  }
  return { inherits, fields };
}

/** A profile that inherits or refers to itself, if only through others: the first such circle, told at one of those on it. */
function reportCycles(profiles: ReadonlyMap<string, QueryProfile>, reading: Reading): void {
  const keys = new Map([...profiles].map(([key, profile]) => [profile, key]));
  const keyOf = (id: string): string => {
    const profile = profileOfId(id, profiles);
    return (profile && keys.get(profile)) ?? id;
  };
  const [cycle] = cyclesIn(profiles.keys(), (id) => namedIn(profiles.get(id)).map(keyOf).toReversed());
  const span = profiles.get(cycle?.[0] ?? "")?.span;
  if (cycle === undefined || span === undefined) return;
  reading.report(problem("query/profile-cycle", span, { path: [...cycle, cycle[0]] }));
}

/** The ids of the profiles that a profile inherits or refers to. */
const namedIn = (profile: QueryProfile | undefined): string[] =>
  (profile === undefined ? [] : [profile.own, ...profile.variants]).flatMap(({ inherits, fields }) => [
    ...inherits.map(({ text }) => text),
    ...[...fields.values()].flatMap(({ isReference, text }) => (isReference ? [text] : [])),
  ]);

function inputOf({ name: element, attributes, span }: XmlElement): Input | undefined {
  const name = attributes.get("name") ?? "";
  const query = /^(?:(?:ranking\.)?features\.)?query\(\s*([\w$@.-]+)\s*\)$/.exec(name)?.[1];
  const text = (attributes.get("type") ?? "").trim();
  if (element !== "field" || query === undefined || !text.startsWith("tensor")) return undefined;
  const { tree: type } = partOf(span, (source) => readType({ ...source, text }));
  return type && { name: `query(${query})`, span, type, isString: false };
}
