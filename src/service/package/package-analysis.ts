import { functionDescriptions } from "../../language/check/descriptions/function-descriptions.js";
import { featureName } from "../../language/check/names.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { partsOf } from "../../language/syntax/parts.js";
import type { Argument, Expression, Reference } from "../../language/syntax/tree.js";
import type { TensorType } from "../../language/types/type.js";
import { SchemaFiles } from "../../vespa/package/syntax/schema-files.js";
import {
  type CheckedPackage,
  type CheckedProfile,
  checkPackage,
  type Files,
  type Package,
  type PackageOptions,
  type Profile,
  profileName,
  type RankFunction,
  readPackage,
} from "../../vespa.js";
import { holds } from "../analysis.js";
import type { CompletionNames } from "../completion.js";
import type { Hover } from "../hover.js";
import type { InlayType } from "../inlay-types.js";
import type { Fold } from "../outline.js";
import { calledAt, type SignatureHelp } from "../signature.js";
import { constantName } from "../symbols.js";
import type { TextEdit } from "../text-edits.js";
import type { ColouredToken } from "../token-kinds.js";
import { expressionEdit } from "./expression-layout.js";
import { featureArguments } from "./feature-arguments.js";
import { colouredPackage } from "./package-colours.js";
import { type PackageOutlineEntry, packageFoldsOf, packageOutlineOf } from "./package-outline.js";
import {
  definitionsIn,
  expressionTextsOf,
  isFeature,
  type RankName,
  rankNameAt,
  usesAround,
} from "./rank-names.js";

/**
 * One look at an application package of Vespa: what is wrong in each of its files, and what the names in its rank expressions
 * are. A function that several profiles inherit is seen as in the first of them. The files are read at once, and a rank profile is
 * checked when something in it is first asked for.
 */
export class PackageAnalysis {
  private readonly package: Package;
  private readonly checked: CheckedPackage;
  private readonly read: SchemaFiles;
  private next = 0;
  private isNextTyped = false;

  /** Files that have the texts which they had in an earlier look at the package are not read again. */
  constructor(files: Files, options: PackageOptions = {}, earlier?: PackageAnalysis) {
    this.read = earlier?.read ?? new SchemaFiles();
    this.package = readPackage(files, options, this.read);
    this.checked = checkPackage(this.package);
  }

  get problems(): readonly Problem[] {
    return this.checked.problems;
  }

  /**
   * Does one more part of the work that `problems` needs: half of the check of a rank profile. Returns whether there was any left.
   */
  checkMore(): boolean {
    const next = this.checked.profiles[this.next];
    if (next === undefined) return false;
    if (this.isNextTyped) void next.problems;
    else void next.computed;
    if (this.isNextTyped) this.next++;
    this.isNextTyped = !this.isNextTyped;
    return true;
  }

  /** The rank profiles that a file defines, by names that no other has, with the place of these. */
  profiles(file: string): readonly { readonly name: string; readonly span: Span }[] {
    return this.checked.profiles.flatMap(({ profile }) => {
      const span = profile.lineage[0]?.name.span;
      return span?.source.name === file ? [{ name: profileName(this.checked, profile), span }] : [];
    });
  }

  /** What the name at an offset of a file is. */
  hover(file: string, offset: number): Hover | undefined {
    const found = this.referenceAt(file, offset);
    if (found === undefined) return this.hoverOfName(file, offset);
    const { reference, profile } = found;
    const own = functionAt(file, reference, profile);
    if (own !== undefined) return { span: reference.name.span, code: signatureIn(profile, own), remarks: [] };
    const feature = profile.mentioned.find(({ name }) => name === featureName(reference));
    const input = profile.profile.inputs.get(featureName(reference));
    const constant = constantOf(profile, reference);
    const type = feature?.type ?? input?.type ?? constant?.type;
    if (type !== undefined)
      return { span: reference.span, code: `${featureName(reference)}: ${type}`, remarks: [] };
    const described = functionDescriptions().get(reference.name.text);
    if (described === undefined || reference.arguments === undefined) return undefined;
    return { span: reference.name.span, code: described.signature, remarks: [described.description] };
  }

  /** Where the name at an offset of a file is defined, which may be in another one. */
  definition(file: string, offset: number): Span | undefined {
    const found = this.referenceAt(file, offset);
    if (found === undefined) return this.definitionOfInherited(file, offset);
    const { reference, profile } = found;
    const own = functionAt(file, reference, profile);
    if (own !== undefined) return own.name.span;
    // Of `query(q)` all is the name of the input.
    const name = isFeature(reference) ? reference.span : { start: offset, end: offset };
    const use = usesAround(profile, file, offset).find(
      ({ span }) => span.start <= name.end && name.start <= span.end,
    );
    if (use !== undefined) return definitionsIn(profile, use.kind, use.word)[0];
    const argument = reference.arguments?.find(({ span }) => holds(span, offset)) ?? reference;
    return argument.kind === "reference"
      ? profile.profile.fields.get(argument.name.text)?.name.span
      : undefined;
  }

  /** The name of the profile that another one inherits, where the offset is in its name there. */
  private definitionOfInherited(file: string, offset: number): Span | undefined {
    for (const { profile } of this.checked.profiles) {
      const [own, ...inherited] = profile.lineage;
      const word = own?.inherits.find(({ span }) => span.source.name === file && holds(span, offset));
      const found = inherited.find(({ name }) => name.text === word?.text);
      if (found !== undefined) return found.name.span;
    }
    return undefined;
  }

  /** The name at an offset of a file: where it is defined, and where it is used. */
  nameAt(file: string, offset: number): RankName | undefined {
    return rankNameAt(this.checked.profiles, this.package, file, offset);
  }

  /** The call around an offset of a file, of a function of the language or of the profile. */
  signature(file: string, offset: number): SignatureHelp | undefined {
    const expression = this.expressionAt(file, offset);
    if (expression === undefined) return undefined;
    const profile = this.profileAt(file, offset);
    return calledAt(expression.source.text.slice(expression.start, offset), (name) => {
      const own = profile?.profile.functions.get(name);
      if (profile === undefined || own === undefined) return functionDescriptions().get(name);
      return { signature: signatureIn(profile, own) };
    });
  }

  /** The edits that lay out the expressions of a file which a range touches. */
  layout(file: string, start: number, end: number): readonly TextEdit[] {
    const edits = new Map<number, TextEdit>();
    for (const { profile } of this.checked.profiles)
      for (const { text } of expressionTextsOf(profile)) {
        const { span } = text;
        if (span.source.name !== file || span.end < start || span.start > end) continue;
        const edit = expressionEdit(span);
        if (edit !== undefined) edits.set(edit.span.start, edit);
      }
    return [...edits.values()];
  }

  /** The types of the functions whose names stand in a part of a file, where each name ends. */
  types(file: string, from = 0, to = Number.POSITIVE_INFINITY): readonly InlayType[] {
    const types = new Map<number, TensorType | undefined>();
    for (const [each, profile] of this.functionsIn(file)) {
      const { end } = each.name.span;
      if (from <= end && end <= to && !types.has(end)) types.set(end, typeOfFunction(profile, each));
    }
    return [...types].flatMap(([offset, type]) => (type === undefined ? [] : { offset, text: `: ${type}` }));
  }

  /** The words and comments of a file. */
  colours(source: Source): readonly ColouredToken[] {
    return colouredPackage(this.read.parse(source), this.checked.profiles);
  }

  /** The parts of a file, in the order of the text; those that can be read of one with mistakes. */
  outline(source: Source): readonly PackageOutlineEntry[] {
    return packageOutlineOf(this.read.parse(source).items);
  }

  folds(source: Source): readonly Fold[] {
    return packageFoldsOf(source, this.outline(source));
  }

  /** The expression that an offset is in, whether or not it can be read. */
  expressionAt(file: string, offset: number): Span | undefined {
    for (const { profile } of this.checked.profiles)
      for (const { text } of expressionTextsOf(profile))
        if (text.span.source.name === file && holds(text.span, offset)) return text.span;
    return undefined;
  }

  /** The names that an expression at an offset of a file may use. */
  names(file: string, offset: number): CompletionNames {
    const profile = this.profileAt(file, offset);
    const { functions, inputs, constants, fields } = profile?.profile ?? noProfile;
    const types = new Map<string, TensorType>();
    for (const { name, type } of inputs.values()) types.set(name, type);
    for (const { name, type } of constants.values()) types.set(`constant(${name})`, type);
    for (const { name, tensorType } of fields.values())
      if (tensorType !== undefined) types.set(`attribute(${name.text})`, tensorType);
    for (const each of functions.values()) {
      const type = profile && typeOfFunction(profile, each);
      if (type !== undefined) types.set(each.name.text, type);
    }
    const attributes = [...fields.values()].filter((each) => each.isAttribute);
    const values = [...types.keys(), ...attributes.map(({ name }) => `attribute(${name.text})`)];
    return {
      values: [...new Set(values)],
      functions: [...functions.keys()],
      dimensions: [...new Set([...types.values()].flatMap((type) => type.names))].sort(),
      dimensionsOf: (name) => types.get(name)?.names,
      argumentsOf: (name, position) =>
        functions.has(name) ? undefined : featureArguments(name, position, [...fields.values()]),
      labels: () => [],
    };
  }

  /** The functions whose names stand in a file, with each profile that has them. */
  private *functionsIn(file: string): Iterable<readonly [RankFunction, CheckedProfile]> {
    for (const profile of this.checked.profiles)
      for (const each of profile.profile.functions.values())
        if (each.name.span.source.name === file) yield [each, profile];
  }

  /** The name of a function in its definition. */
  private hoverOfName(file: string, offset: number): Hover | undefined {
    for (const [each, profile] of this.functionsIn(file)) {
      const { span } = each.name;
      if (holds(span, offset)) return { span, code: signatureIn(profile, each), remarks: [] };
    }
    return undefined;
  }

  /** The innermost name that an offset is in, among all expressions of the package. */
  private referenceAt(
    file: string,
    offset: number,
  ): { readonly reference: Reference; readonly profile: CheckedProfile } | undefined {
    for (const profile of this.checked.profiles)
      for (const root of expressionsOf(profile)) {
        if (root.span.source.name !== file || !holds(root.span, offset)) continue;
        const reference = innermost(root, offset);
        if (reference !== undefined) return { reference, profile };
      }
    return undefined;
  }

  /** The profile whose text an offset is in; of several in one text, that which begins last before it. */
  private profileAt(file: string, offset: number): CheckedProfile | undefined {
    let best: CheckedProfile | undefined;
    let start = -1;
    for (const profile of this.checked.profiles) {
      const span = profile.profile.lineage[0]?.span;
      if (span?.source.name !== file || !holds(span, offset) || span.start <= start) continue;
      [best, start] = [profile, span.start];
    }
    return best;
  }
}

const noProfile: Pick<Profile, "functions" | "inputs" | "constants" | "fields"> = {
  functions: new Map(),
  inputs: new Map(),
  constants: new Map(),
  fields: new Map(),
};

/** All expressions of a profile that could be read. */
const expressionsOf = ({ profile }: CheckedProfile): readonly Expression[] =>
  expressionTextsOf(profile).flatMap(({ text }) => text.tree ?? []);

/** The innermost name or call whose text an offset is in: `query(q)` as a whole, where the offset is in `q`. */
function innermost(root: Expression, offset: number): Reference | undefined {
  let found: Reference | undefined;
  let within: Argument | undefined = root;
  while (within !== undefined && holds(within.span, offset)) {
    if (within.kind === "reference" && (holds(within.name.span, offset) || isFeature(within))) found = within;
    if (within.kind === "reference" && isFeature(within)) break;
    within = partsOf(within).find(({ tree }) => holds(tree.span, offset))?.tree;
  }
  return found;
}

/** The function that a reference means: none where a parameter or a dimension has its name. */
function functionAt(file: string, reference: Reference, profile: CheckedProfile): RankFunction | undefined {
  const own = functionOf(profile, reference);
  if (own === undefined || reference.arguments !== undefined) return own;
  const { text, span } = reference.name;
  const use = usesAround(profile, file, span.start).find(
    (each) => each.kind === "function" && each.span.start === span.start,
  );
  return use === undefined || use.mayBeOther(text) ? undefined : own;
}

const functionOf = ({ profile }: CheckedProfile, { name }: Reference): RankFunction | undefined =>
  profile.functions.get(name.text);

const constantOf = ({ profile }: CheckedProfile, reference: Reference) =>
  profile.constants.get(constantName(featureName(reference)));

const typeOfFunction = ({ computed }: CheckedProfile, { name }: RankFunction): TensorType | undefined =>
  computed.find((each) => each.kind === "function" && each.name === name.text)?.type;

/** A function with its parameters, and the type that it has in a profile. */
function signatureIn(profile: CheckedProfile, called: RankFunction): string {
  const type = typeOfFunction(profile, called);
  const parameters = called.parameters.map(({ text }) => text).join(", ");
  return `${called.name.text}(${parameters})${type === undefined ? "" : `: ${type}`}`;
}
