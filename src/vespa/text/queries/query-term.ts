/** A term of a query: what it looks for, and in which fields. */
export interface QueryTerm {
  readonly pattern: TermPattern;
  readonly fields: readonly string[];
  /** In percent: 100 unless the query says otherwise. */
  readonly weight: number;
  /** What the query says of how rare it is. */
  readonly significance: number | undefined;
  /** What the query says of how many documents have it, of how many; this counts more than its significance. */
  readonly documentFrequency: { readonly frequency: number; readonly count: number } | undefined;
  /** How much it has to do with the term before it. */
  readonly connectedness: number;
  /** What the query calls it. */
  readonly label: string | undefined;
}

/** What a term looks for. */
export type TermPattern =
  | WordsPattern
  /** Numbers, and no texts. */
  | ({ readonly kind: "range" } & NumberRange)
  /** A search for neighbours finds all documents that are looked at. */
  | { readonly kind: "neighbours" }
  /** The values of an attribute that have this text at their beginning, at their end, or anywhere. */
  | { readonly kind: "prefix" | "suffix" | "substring"; readonly text: string }
  /** Those in which a regular expression is found. */
  | { readonly kind: "regular"; readonly text: string }
  | FuzzyPattern
  /** Any of these values, each with a weight. */
  | { readonly kind: "weighted"; readonly weights: ReadonlyMap<string, number> }
  /** Terms that count as one. */
  | { readonly kind: "equivalent"; readonly terms: readonly QueryTerm[] }
  /** Values with weights, whose products with those of the document are the score of the operator. */
  | { readonly kind: "product"; readonly weights: ReadonlyMap<string, number> }
  /** What it finds is not known here. */
  | { readonly kind: "unknown" };

/** Values that differ from a text in a few signs. */
export interface FuzzyPattern {
  readonly kind: "fuzzy";
  readonly text: string;
  /** In how many they may differ. */
  readonly most: number;
  /** How many at the beginning may not. */
  readonly prefixLength: number;
  /** Whether the text may be the beginning of a value. */
  readonly isPrefix: boolean;
}

/** A word, or those of a phrase. */
export interface WordsPattern {
  readonly kind: "words";
  /** As an attribute is asked for it. */
  readonly text: string;
  /** As an index is asked for it. */
  readonly words: readonly string[];
}

export interface NumberRange {
  readonly least: number;
  readonly most: number;
  readonly excludesLeast: boolean;
  readonly excludesMost: boolean;
}

/** What every term has to do with the one before it, unless the query says so. */
export const usualConnectedness = 0.1;
