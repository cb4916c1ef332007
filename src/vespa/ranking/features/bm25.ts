import type { JsonValue } from "../../../formats/json/value.js";
import { TensorType } from "../../../language/types/type.js";
import { Tensor } from "../../../language/values/tensor.js";
import { leadingNumber } from "../../package/model/engine-numbers.js";
import { rarity } from "../../text/statistics.js";
import type { FeatureCall } from "./feature-call.js";

/**
 * `bm25(f)` and `elementwise(bm25(f),d,type)` of what an engine counts, where that is given instead of a value: how rare
 * each term of the query is, how often it occurs, and how long the field or its elements are, in words.
 *
 *     { "terms": [{ "idf": 2.3, "occurrences": 3 }], "length": 120, "averageLength": 100 }
 *     { "terms": [{ "idf": 2.3, "occurrences": { "0": 2, "5": 1 } }], "lengths": { "0": 9, "5": 4 }, "averageLength": 7 }
 *
 * In the place of `idf` a term may say in how many `documents` it is, and all of it, the `documentCount`.
 */
export interface Bm25Settings {
  /** How much a term can count that occurs often. */
  readonly k1: number;
  /** How much the length of the field counts, from 0 to 1. */
  readonly b: number;
}

/** Whether a given value is counts of a feature that is made of them. */
export const isCounts = ({ head }: FeatureCall, value: JsonValue): boolean =>
  (head === "bm25" || head === "elementwise") && value.member("terms")?.kind === "array";

/** What `rank-properties` say, where one says nothing Vespa's own. */
export function bm25Settings(
  { name, arguments: [inner = ""], head }: FeatureCall,
  property: (key: string) => string | undefined,
): Bm25Settings {
  const setting = (key: string, otherwise: number): number => {
    const text =
      property(`${name}.${key}`) ?? (head === "elementwise" ? property(`${inner}.${key}`) : undefined);
    return leadingNumber(text ?? "") ?? otherwise;
  };
  return { k1: setting("k1", 1.2), b: setting("b", 0.75) };
}

/** The value of the feature; of elements without an occurrence there is no cell. */
export function fromCounts(call: FeatureCall, counts: JsonValue, settings: Bm25Settings): Tensor {
  const average = numberIn(counts, "averageLength") ?? 1;
  const terms = [...(counts.member("terms")?.items() ?? [])].filter(({ kind }) => kind === "object");
  const idf = (term: JsonValue): number => numberIn(term, "idf") ?? rarityOf(term, counts);
  const score = (occurrences: number, length: number, term: JsonValue): number => {
    const { k1, b } = settings;
    return (idf(term) * occurrences * (k1 + 1)) / (occurrences + k1 * (1 - b + (b * length) / average));
  };
  if (call.head === "bm25") {
    const length = numberIn(counts, "length") ?? average;
    const sum = terms.reduce(
      (total, term) => total + score(numberIn(term, "occurrences") ?? 0, length, term),
      0,
    );
    return Tensor.scalar(sum, TensorType.scalar);
  }
  const lengths = numbersIn(counts, "lengths");
  const elements = new Map<string, number>();
  for (const term of terms) {
    for (const [element, count] of numbersIn(term, "occurrences")) {
      if (count === 0) continue;
      const length = lengths.get(element) ?? average;
      elements.set(element, (elements.get(element) ?? 0) + score(count, length, term));
    }
  }
  const [, dimension = "element", cellType] = call.arguments;
  const type = TensorType.of(cellType === "float" ? "float" : "double", [
    { name: dimension, kind: "mapped" },
  ]);
  const cells = [...elements].map(([label, value]) => ({
    address: Object.fromEntries([[dimension, label]]),
    value,
  }));
  return Tensor.from(type, cells);
}

/** Terms that few documents have tell more. */
function rarityOf(term: JsonValue, counts: JsonValue): number {
  const [matching, all] = [numberIn(term, "documents") ?? 0, numberIn(counts, "documentCount") ?? 0];
  return rarity(matching, all);
}

const numberIn = (object: JsonValue, key: string): number | undefined => object.member(key)?.number;

/** Numbers by label, or by index. */
function numbersIn(object: JsonValue, key: string): Map<string, number> {
  const items = [...(object.member(key)?.items() ?? [])];
  return new Map(
    items.flatMap((each): [string, number][] =>
      each.number === undefined ? [] : [[`${each.key}`, each.number]],
    ),
  );
}
