import type { JsonValue } from "../../formats/json/value.js";
import { append } from "../../language/source/lists.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import { TensorType } from "../../language/types/type.js";
import { entry } from "../../language/values/element.js";
import { Tensor } from "../../language/values/tensor.js";
import type { Document } from "./document/document.js";
import { storedField } from "./document/stored-values.js";
import { DocumentNumbers, tensorOf } from "./document-numbers.js";
import { bm25Settings, fromCounts, isCounts } from "./features/bm25.js";
import { type Source, unsaidField } from "./features/feature-source.js";
import { sourceOf } from "./features/features.js";
import type { InjectedFeatures } from "./features/injected-features.js";
import type { InputOrigin } from "./features/input-origin.js";
import { readFeature } from "./features/read-feature.js";
import { type MissingFeature, type MissingReason, problem } from "./messages.js";
import type { ProfileProgram } from "./program/program.js";
import type { Setting } from "./query/setting.js";
import { prepare, prepareNumber, type Run } from "./run.js";

/** A document to score, with features that apply to it alone. */
export interface HitToScore {
  readonly document: Document;
  /** Features that override computed values. */
  readonly overrides?: InjectedFeatures | undefined;
  /** Features for values that cannot be computed: those that a response has of the document. */
  readonly fallbacks?: InjectedFeatures | undefined;
}

/** A value, or the features that it lacks. */
export type Outcome =
  | { readonly kind: "value"; readonly value: Tensor }
  | { readonly kind: "missing"; readonly missing: readonly MissingFeature[] };

/** Where the value of a feature came from. */
export type Origin = "given" | "response" | "document" | "constant" | "list" | InputOrigin;

/** The value of a feature, and where it came from. */
export interface FeatureValue {
  readonly name: string;
  readonly value: Tensor;
  readonly origin: Origin;
  /** Of an attribute that is a text: it, of which the value is the hash. */
  readonly text?: string;
}

/** Numbers that only a list of hits has, such as normalized ones, by the name of the input. */
export type ListValues = ReadonlyMap<string, number>;

/** One query against a compiled rank profile: computes what it is asked of document after document. */
export class Scorer {
  private readonly sources: ReadonlyMap<string, Source>;
  private readonly common = new Map<string, FeatureValue>();
  private readonly runs = new Map<string, Run>();
  private readonly numbers = new Map<string, DocumentNumbers | "first" | "none">();

  constructor(
    readonly program: ProfileProgram,
    private readonly setting: Setting,
    /** The overrides for all documents. */
    private readonly overrides: InjectedFeatures,
    private readonly constants: ReadonlyMap<string, Tensor>,
  ) {
    this.sources = new Map(
      [...program.uses].map(([name, { call }]) => [name, sourceOf(call, setting)] as const),
    );
  }

  /**
   * The values of these keys, each by itself where another lacks something.
   * @throws SphexError with all that is wrong with the values of the features that they need.
   */
  values(keys: readonly string[], hit: HitToScore, list: ListValues = new Map()): Map<string, Outcome> {
    const features = new Map<string, FeatureValue | MissingFeature>();
    const problems: Problem[] = [];
    const feature = (name: string): FeatureValue | MissingFeature => {
      const found = features.get(name) ?? this.tryFeature(name, hit, list, problems);
      features.set(name, found);
      return found;
    };
    const missing = new Map(keys.map((key) => [key, this.missing(key, feature)]));
    if (problems.length > 0) throw new SphexError(problems.sort(bySpan));
    const complete = keys.filter((key) => missing.get(key)?.length === 0);
    const results =
      complete.length === 0 ? [] : this.runOf(complete, hit, feature)((name) => requireValue(feature(name)));
    const values = new Map(complete.map((key, at) => [key, results[at]] as const));
    return new Map(
      keys.map((key): [string, Outcome] => {
        const value = values.get(key);
        return value === undefined
          ? [key, { kind: "missing", missing: entry(missing, key) }]
          : [key, { kind: "value", value }];
      }),
    );
  }

  /**
   * The number that a key is for a document.
   * @throws SphexError where it lacks features.
   */
  number(key: string, hit: HitToScore, list?: ListValues): number {
    const isPlain = hit.overrides === undefined && hit.fallbacks === undefined;
    const quick = isPlain ? this.numbersOf(key)?.of(hit.document) : undefined;
    return quick ?? this.value(key, hit, list).asNumber();
  }

  /**
   * The value of a key for a document.
   * @throws SphexError where it lacks features.
   */
  value(key: string, hit: HitToScore, list?: ListValues): Tensor {
    const outcome = entry(this.values([key], hit, list), key);
    if (outcome.kind === "value") return outcome.value;
    throw this.lacking(key, outcome.missing);
  }

  /** Nothing where a value depends on more than the query and the document. It is made for the second document of a query. */
  private numbersOf(key: string): DocumentNumbers | undefined {
    const cached = this.numbers.get(key);
    if (cached === "first") return this.prepareNumbers(key);
    if (cached !== undefined) return cached === "none" ? undefined : cached;
    this.numbers.set(key, "first");
    return undefined;
  }

  private prepareNumbers(key: string): DocumentNumbers | undefined {
    const fixed = new Map<string, Tensor>();
    const sources = new Map<string, Extract<Source, { kind: "document" }>>();
    const inputs = this.program.inputsOf(key);
    for (const name of inputs ?? []) {
      const common = this.common.get(name) ?? this.commonOf(name);
      const source = this.sources.get(name);
      if (common !== undefined) fixed.set(name, common.value);
      else if (source?.kind === "document") sources.set(name, source);
    }
    const isPlain = fixed.size + sources.size === inputs?.length;
    const found = isPlain
      ? new DocumentNumbers(prepareNumber(this.program.programOf([key]), fixed), sources)
      : undefined;
    this.numbers.set(key, found ?? "none");
    return found;
  }

  lacking(key: string, missing: readonly MissingFeature[]): SphexError {
    const quantity = this.program.quantities.find((each) => each.key === key);
    const span = quantity?.span ?? { source: { name: key, text: key }, start: 0, end: key.length };
    return new SphexError([problem("ranking/missing", span, { name: quantity?.name ?? key, missing })]);
  }

  /** The features that these keys need, in order of their names. */
  features(
    keys: readonly string[],
    hit: HitToScore,
    list: ListValues = new Map(),
  ): (FeatureValue | MissingFeature)[] {
    const names = this.inputsOfAll(keys).sort();
    return names.map((name) => {
      const found = this.feature(name, hit, list);
      return isMissing(found) ? found : this.withText(found, hit.document);
    });
  }

  /** The inputs of a program that computes a key, for inspection. */
  inputs(key: string, hit: HitToScore, list: ListValues = new Map()): Record<string, Tensor> {
    const entries = (this.program.inputsOf(key) ?? []).map((name): [string, Tensor] => [
      name,
      requireValue(this.feature(name, hit, list)),
    ]);
    return Object.fromEntries(entries);
  }

  private missing(key: string, feature: (name: string) => FeatureValue | MissingFeature): MissingFeature[] {
    const inputs = this.program.inputsOf(key);
    if (inputs === undefined) return this.untyped();
    const all = inputs.flatMap((name) => {
      const found = feature(name);
      return isMissing(found) ? this.underlying(found, feature) : [];
    });
    // Where something else is missing, that a normalizer has no list yet is no news.
    const others = all.filter((each) => this.program.normalizerOf(each.name) === undefined);
    return others.length > 0 ? others : all;
  }

  /** A normalizer cannot be supplied; the values that it normalizes can. */
  private underlying(
    missing: MissingFeature,
    feature: (name: string) => FeatureValue | MissingFeature,
  ): MissingFeature[] {
    const { keys = [] } = this.program.normalizerOf(missing.name) ?? {};
    const lacking = keys.flatMap((key) => this.missing(key, feature));
    return lacking.length === 0 ? [missing] : lacking;
  }

  /** The features without a type: any of them may be why an expression has none. */
  private untyped(): MissingFeature[] {
    return [...this.program.uses.values()]
      .filter(({ type }) => type === undefined)
      .map(({ call }) => ({ name: call.name, type: undefined, reason: "untyped model" }));
  }

  /** One feature of a document. */
  feature(name: string, hit: HitToScore, list: ListValues = new Map()): FeatureValue | MissingFeature {
    const number = list.get(name);
    if (number !== undefined)
      return { name, value: Tensor.scalar(number, TensorType.scalar), origin: "list" };
    const own = hit.overrides?.get(name);
    if (own !== undefined) return { name, value: this.read(name, own), origin: "given" };
    const common = this.common.get(name) ?? this.commonOf(name);
    if (common !== undefined) {
      this.common.set(name, common);
      return common;
    }
    const source = this.sources.get(name);
    if (source?.kind === "document" && unsaidField(source, hit.document) === undefined)
      return { name, value: tensorOf(source.of(hit.document)), origin: "document" };
    const fallback = hit.fallbacks?.get(name);
    if (fallback !== undefined) return { name, value: this.read(name, fallback), origin: "response" };
    return { name, type: this.program.typeOf(name), reason: reasonFor(source, hit.document) };
  }

  /** The text of an attribute that is one. */
  private withText(found: FeatureValue, document: Document): FeatureValue {
    const call = found.origin === "document" ? this.program.uses.get(found.name)?.call : undefined;
    const isAttribute =
      call?.head === "attribute" && call.arguments.length === 1 && call.output === undefined;
    const [field] = isAttribute ? call.arguments : [];
    const text = field === undefined ? undefined : document.json(field)?.string;
    return text === undefined ? found : { ...found, text };
  }

  /** As `feature`; what is wrong with it is put aside, so that other features may be looked at. */
  private tryFeature(
    name: string,
    hit: HitToScore,
    list: ListValues,
    problems: Problem[],
  ): FeatureValue | MissingFeature {
    try {
      return this.feature(name, hit, list);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      append(problems, error.problems);
      return { name, type: undefined, reason: "wrong" };
    }
  }

  /** What is the same for all documents: an override for all, a constant, a value of the query. */
  private commonOf(name: string): FeatureValue | undefined {
    const override = this.overrides.get(name);
    if (override !== undefined) return { name, value: this.read(name, override), origin: "given" };
    const asked = this.setting.override(name);
    if (asked !== undefined) return { name, value: this.read(name, asked), origin: "query" };
    const constant = this.constants.get(name);
    if (constant !== undefined) return { name, value: constant, origin: "constant" };
    const source = this.sources.get(name);
    if (source?.kind !== "query") return undefined;
    return { name, value: tensorOf(source.value), origin: source.origin };
  }

  /** A value as it is, or what counts of terms make of it. */
  private read(name: string, json: JsonValue): Tensor {
    const call = this.program.uses.get(name)?.call;
    if (call !== undefined && isCounts(call, json))
      return fromCounts(
        call,
        json,
        bm25Settings(call, (key) => this.setting.property(key)),
      );
    const [named] = call?.head === "attribute" ? call.arguments : [];
    const field = named === undefined ? undefined : this.setting.field(named);
    const stored = field === undefined ? undefined : storedField(field).type?.kind;
    const mayBeText = stored === undefined || stored === "text" ? undefined : false;
    return readFeature(name, json, this.program.typeOf(name), mayBeText);
  }

  /** What all documents have in common is fixed, but for what a document overrides. */
  private runOf(
    keys: readonly string[],
    { overrides }: HitToScore,
    feature: (name: string) => FeatureValue | MissingFeature,
  ): Run {
    const name = JSON.stringify([keys, ...(overrides?.keys() ?? [])]);
    const cached = this.runs.get(name);
    if (cached !== undefined) return cached;
    const inputs = this.inputsOfAll(keys);
    const fixed = inputs.flatMap((each): [string, Tensor][] => {
      const found = feature(each);
      return this.common.get(each) === found && !isMissing(found) ? [[each, found.value]] : [];
    });
    const run = prepare(this.program.programOf(keys), inputs, new Map(fixed));
    this.runs.set(name, run);
    return run;
  }

  private inputsOfAll(keys: readonly string[]): string[] {
    return [...new Set(keys.flatMap((key) => this.program.inputsOf(key) ?? []))];
  }
}

function reasonFor(source: Source | undefined, document: Document): MissingReason {
  if (source?.kind === "external") return source.reason;
  const field = source?.kind === "document" ? unsaidField(source, document) : undefined;
  return field === undefined ? "of list" : { kind: "not in document", field };
}

const bySpan = (left: Problem, right: Problem): number =>
  left.span.source === right.span.source ? left.span.start - right.span.start : 0;

/** Whether a feature has no value. */
export const isMissing = (found: FeatureValue | MissingFeature): found is MissingFeature => "reason" in found;

function requireValue(found: FeatureValue | MissingFeature): Tensor {
  if (isMissing(found)) throw new Error(`${found.name} is missing`);
  return found.value;
}
