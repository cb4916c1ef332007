import type { FeatureResolver } from "../../../language/check/checker.js";
import type { Node } from "../../../language/core/operations.js";
import type { Span } from "../../../language/source/span.js";
import type { TensorType } from "../../../language/types/type.js";
import type { Options } from "../../../program/options.js";
import type { Profile } from "../../package/model/model.js";
import type { FeatureCall } from "../features/feature-call.js";
import type { Normalizer } from "./normalizers.js";

/** What a rank profile computes: under `key` in the program, and called `name` by people. */
export interface Quantity {
  readonly key: string;
  readonly name: string;
  readonly kind: "phase" | "function" | "match-features" | "summary-features";
  /** Absent where the type depends on features of unknown type. */
  readonly type: TensorType | undefined;
  readonly span: Span;
}

/** A feature that expressions mention; without a type where only a value can tell it. */
export interface FeatureUse {
  readonly call: FeatureCall;
  readonly type: TensorType | undefined;
  readonly span: Span;
}

/** A feature that is a part of the program, such as the output of a model. */
export interface ComputedFeature {
  readonly name: string;
  readonly node: Node;
}

/** `reciprocal_rank(f)` and its like: an input whose values come from those of `f` over all hits. */
export interface NormalizerUse {
  readonly name: string;
  readonly normalizer: Normalizer;
  /** The keys of what it looks at. The values for several are added up, which makes a fusion of them. */
  readonly keys: readonly string[];
}

/** The derivative of a phase, by its key, in an input or a constant, by its canonical name. */
export interface Derivative {
  readonly of: string;
  readonly in: string;
}

/** The key of a derivative, which no name of an expression is. */
export const derivativeKey = (derivative: Derivative): string =>
  `derivative of ${derivative.of} in ${derivative.in}`;

/** A rank profile, and what is known of the features that its expressions mention. */
export interface ProfileOptions {
  readonly profile: Profile;
  /** The type of a rank feature by what its name is, as the checker of packages knows it. */
  readonly features: FeatureResolver;
  /** The types of overriding features, by canonical name. A function of this name is not computed. */
  readonly overrides: ReadonlyMap<string, TensorType>;
  /** Whether the terms that the score is the sum of are computed besides, each under the key that `termKey` gives it. */
  readonly hasTerms?: boolean | undefined;
  /** Derivatives to compute besides, each under the key that `derivativeKey` gives it. */
  readonly derivatives?: readonly Derivative[];
  readonly options?: Options;
}
