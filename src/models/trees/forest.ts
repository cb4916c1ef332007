/** Trees that a library has learnt, whichever it was. */
export type Tree = Leaf | Split;

export interface Leaf {
  readonly kind: "leaf";
  readonly value: number;
}

export interface Split {
  readonly kind: "split";
  /** The position of the feature among those of the forest. */
  readonly feature: number;
  readonly test: SplitTest;
  /** Whether a missing value, NaN, passes the test. */
  readonly passesMissing: boolean;
  readonly yes: Tree;
  readonly no: Tree;
}

export type SplitTest =
  | { readonly kind: "below" | "at most"; readonly threshold: number }
  /** At most a threshold, where a 0 counts as missing. */
  | { readonly kind: "at most, or 0 missing"; readonly threshold: number }
  /** Among labels that stood for categories. */
  | { readonly kind: "among"; readonly labels: readonly (number | string)[] }
  /** Among categories by number, where a value has that of its whole part; from -1 to 0 either 0, or none. */
  | { readonly kind: "category"; readonly categories: readonly number[]; readonly truncates: boolean };

/** What becomes of the sum of the trees. */
export type Transform =
  | {
      readonly kind:
        | "none"
        | "exponential"
        | "softmax"
        | "greatest"
        | "positive"
        | "signed square"
        | "softplus";
    }
  | { readonly kind: "sigmoid"; readonly slope: number };

export interface Forest {
  readonly features: readonly string[];
  /** Whether the file does not tell in which order the data had the features. */
  readonly isUnordered?: boolean;
  /** The trees of each class; there is one class where numbers are predicted. */
  readonly classes: readonly (readonly Tree[])[];
  /** What is added to the sum of each class. */
  readonly bases: readonly number[];
  /** What the sum of each class is divided by. */
  readonly divisor: number;
  readonly transform: Transform;
}

/** What LightGBM takes for 0: what is at most this far from it. */
export const zeroThreshold = 1.0000000180025095e-35;

/** What the codes of categories stood for where data had labels, by the position of the feature. */
export type CategoryLabels = ReadonlyMap<number, readonly (number | string)[]>;

/** A label stands at each node that asks for its category: longer ones would make a program without end. */
export const longestLabel = 1000;

/** Trees of more levels are those of no library. */
export const deepest = 500;

/** The trees of each class, of which a tree has one by its position. */
export function byClass(
  trees: readonly Tree[],
  classes: number,
  classOf: (position: number) => number,
): Tree[][] {
  const lists: Tree[][] = Array.from({ length: classes }, () => []);
  for (const [position, tree] of trees.entries()) lists[classOf(position)]?.push(tree);
  return lists;
}
