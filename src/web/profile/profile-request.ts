/** What rank profile mode asks and is told: plain data that can be copied between threads. */

/** A file of an application package. */
export interface PackageText {
  /** From the root of the package, such as `schemas/article.sd`. */
  readonly path: string;
  readonly text: string;
}

/** Features by name, as they are typed: numbers, literals or JSON. */
export type FeatureTexts = Readonly<Record<string, string>>;

/** What a reader puts in. */
export interface ProfileTexts {
  readonly files: readonly PackageText[];
  /** Nothing where the query, or the package itself, says which. */
  readonly profile: string | undefined;
  /** Documents as they are fed, one or several; or the fields of one. */
  readonly documents: string;
  /** A request as JSON or as the parameters of a URL. */
  readonly query: string;
  /** For all documents, over what is computed. */
  readonly features: FeatureTexts;
  /** For single documents, by their ids. */
  readonly documentFeatures: Readonly<Record<string, FeatureTexts>>;
  /** A response of Vespa to compare with, or nothing. */
  readonly response: string;
  /** Whether features of words are computed from what these documents have. */
  readonly countsWords: boolean;
}

export interface ProfileRequest extends ProfileTexts {
  /** The time of the query, in seconds since 1970. */
  readonly now: number | undefined;
  /** The document whose values are shown: its id; the best one where there is none of it. */
  readonly selected: string | undefined;
}

export interface ProfileReport {
  /** All rank profiles of the package, as short as they can be told apart. */
  readonly profiles: readonly string[];
  readonly profile: string | undefined;
  readonly problems: readonly ProfileProblem[];
  /** Best first; those without a score, because a feature is missing, last. */
  readonly hits: readonly ProfileHit[];
  readonly selected: string | undefined;
  /** What the profile computes for the selected document: its phases first. */
  readonly values: readonly ProfileValue[];
  /** The features that were used for it. */
  readonly features: readonly UsedFeature[];
  /** The features that are to be filled in. */
  readonly missing: readonly LackingFeature[];
  /** The numbers that a query may change. */
  readonly scalars: readonly ScalarInput[];
}

export interface ProfileProblem {
  readonly isError: boolean;
  readonly message: string;
  /** With the lines that it is about. */
  readonly text: string;
}

export interface ProfileHit {
  readonly id: string;
  readonly score: number | undefined;
  readonly phases: readonly { readonly name: string; readonly score: number }[];
  /** Where it was in the response that is compared, from 1, and with which score. */
  readonly before: { readonly rank: number; readonly score: number } | undefined;
}

export interface ProfileValue {
  readonly name: string;
  readonly kind: "phase" | "function" | "match-features" | "summary-features";
  /** Nothing where a feature of unknown type is in it. */
  readonly type: string | undefined;
  /** Nothing where features are missing: then their names. */
  readonly value: string | undefined;
  readonly missing: readonly string[];
}

export interface UsedFeature {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** Where it came from: `document`, `query`, `default`, `given` and so on. */
  readonly origin: string;
}

export interface LackingFeature {
  readonly name: string;
  readonly type: string | undefined;
  readonly reason: string;
  /** Something of its type, to begin with. */
  readonly example: string;
}

export interface ScalarInput {
  readonly name: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

/** What files that are dropped on the page have for a rank profile. */
export interface ImportedProfile {
  readonly files: readonly PackageText[];
  readonly documents: string;
  readonly query: string;
  readonly response: string;
}
