import { cellTypeNamed } from "../../../language/types/cell.js";
import { TensorType } from "../../../language/types/type.js";
import { Tensor } from "../../../language/values/tensor.js";
import { leadingNumber } from "../../package/model/engine-numbers.js";
import type { Field } from "../../package/model/model.js";
import {
  occurrences,
  searchedFields,
  type TextDocument,
  type TextQuery,
  termsFor,
} from "../../text/field-texts.js";
import { inverseDocumentFrequency } from "../../text/statistics.js";
import type { Document } from "../document/document.js";
import { bm25Settings } from "./bm25.js";
import type { FeatureCall } from "./feature-call.js";
import { external, ofDocument, type Source } from "./feature-source.js";

/** `elementwise(bm25(f),d,type)`: BM25 of each element of a field in which a term is found, and no cell for the others. */
export function elementBm25(
  call: FeatureCall,
  field: Field,
  query: TextQuery,
  wordsOf: (document: Document) => TextDocument,
): Source {
  const [, dimension = "", cells = "double"] = call.arguments;
  const cellType = cellTypeNamed(cells);
  if (dimension === "" || cellType === undefined) return external("unknown output");
  const type = TensorType.of(cellType, [{ name: dimension, kind: "mapped" }]);
  const { k1, b } = bm25Settings(call, query.property);
  const { text: name } = field.name;
  const keys = [call.name, `bm25(${name})`].map((each) => `${each}.averageElementLength`);
  const [declared] = keys.flatMap((key) => leadingNumber(query.property(key) ?? "") ?? []);
  const average = declared ?? query.statistics.averageElementLength?.(name);
  const terms = termsFor(field, query).map((term) => ({
    term,
    rarity: inverseDocumentFrequency(term, searchedFields(term, query), query.statistics),
  }));
  return ofDocument(
    name,
    (document) => {
      const scores = new Map<number, number>();
      for (const { term, rarity } of terms) {
        const counts = new Map<number, { count: number; length: number }>();
        for (const { element, length } of occurrences(term, field, wordsOf(document)))
          counts.set(element, { count: (counts.get(element)?.count ?? 0) + 1, length });
        for (const [element, { count, length }] of counts) {
          const relative = k1 * (1 - b + (b * length) / (average ?? length));
          const score = (rarity * count * (k1 + 1)) / (count + relative);
          scores.set(element, (scores.get(element) ?? 0) + score);
        }
      }
      const all = Array.from(scores, ([element, value]) => ({
        address: Object.fromEntries([[dimension, `${element}`]]),
        value,
      }));
      return Tensor.from(type, all);
    },
    type,
  );
}
