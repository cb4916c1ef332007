import { textAsNumber } from "../../../language/scalar/hash.js";
import type { Field } from "../../package/model/model.js";
import { positionCollection, positionedBy } from "../../package/schemas/fields/position-fields.js";
import { type Document, emptyTensor } from "../document/document.js";
import { leadingWhole } from "../document/leading-whole.js";
import { positionsIn, zCurve } from "../document/position-values.js";
import { type StoredType, seen, storedField } from "../document/stored-values.js";
import type { FeatureCall } from "./feature-call.js";
import { external, ofDocument, type QueryContext, type Source } from "./feature-source.js";

/**
 * `attribute(f)`, `attribute(f,3)` of an array and `attribute(f,key)` of a weighted set, with their outputs. What there is
 * none of is 0: the value of a collection as a whole, the weight of what is no key, the count of one element.
 */

interface Outputs {
  readonly value: number;
  readonly weight: number;
  readonly contains: number;
  readonly count: number;
}

const none: Outputs = { value: 0, weight: 0, contains: 0, count: 0 };

export function attribute(
  { arguments: [name = "", key], output = "value" }: FeatureCall,
  context: QueryContext,
): Source {
  const field = context.field(name);
  if (field === undefined) return ofPositions(name, { key, output }, context);
  const { tensorType: type } = field;
  if (type !== undefined) {
    const empty = emptyTensor(type);
    if (output !== "value") return external("unknown output");
    return ofDocument(name, (document) => document.tensor(field, type) ?? empty, type);
  }
  if (!isOutput(output)) return external("unknown output");
  if (key === undefined && output === "value") return ofDocument(name, (document) => document.number(field));
  const outputs = outputsOf(field, key);
  return ofDocument(name, (document) => outputs(document)[output]);
}

/** `attribute(p_zcurve)`: what Vespa stores for the field `p` of positions, whole numbers of 64 bits. */
function ofPositions(
  name: string,
  { key, output }: { readonly key: string | undefined; readonly output: string },
  context: QueryContext,
): Source {
  const field = context.field(positionedBy(name) ?? "");
  const collection = field === undefined ? undefined : positionCollection(field);
  if (field === undefined || collection === undefined) return external("no field");
  if (!isOutput(output)) return external("unknown output");
  const { text } = field.name;
  const index = collection === "array" ? Number(leadingWhole(key ?? "", 32)) : 0;
  const isWhole = collection === "array" && (key ?? "") === "";
  return ofDocument(text, (document) => {
    const codes = positionsIn(document.json(text)).map(zCurve);
    const otherwise = collection === "array" ? 0 : Number.NaN;
    const value = isWhole ? 0 : (codes[index] ?? otherwise);
    const count = collection === "single" ? 1 : isWhole ? codes.length : 0;
    return { ...none, value, count }[output];
  });
}

const isOutput = (name: string): name is keyof Outputs => Object.hasOwn(none, name);

/** What makes the outputs of a field and a key, which may be an index. */
function outputsOf(field: Field, key: string | undefined): (document: Document) => Outputs {
  const { collection, type } = storedField(field);
  const name = field.name.text;
  const index = Number(leadingWhole(key ?? "", 64));
  // Only a text is looked up by its index.
  if (collection === "single" && type?.kind === "text" && index > 0) return () => ({ ...none, count: 1 });
  if (collection === "single") return (document) => ({ ...none, value: document.number(field), count: 1 });
  if (key === undefined || key === "") return (document) => ({ ...none, count: document.count(name) });
  if (collection === "set") return keyed(field, key, type);
  return (document) => ({ ...none, value: document.element(field, Math.max(0, index)) });
}

/** What a weighted set has under a key. */
function keyed(field: Field, key: string, type: StoredType | undefined): (document: Document) => Outputs {
  const { value, isKey } = keyOf(key, type);
  return (document) => {
    const found = [...document.weights(field)].find(([label]) => isKey(label));
    return found === undefined ? none : { ...none, value, weight: found[1], contains: 1 };
  };
}

interface SetKey {
  readonly value: number;
  readonly isKey: (label: string) => boolean;
}

function keyOf(key: string, type: StoredType | undefined): SetKey {
  if (type?.kind === "whole") {
    const whole = leadingWhole(key, 64);
    return { value: seen(Number(whole), type, true), isKey: (label) => leadingWhole(label, 64) === whole };
  }
  if (type?.kind === "float") {
    const number = Number(key);
    return { value: number, isKey: (label) => Number(label) === number };
  }
  return { value: textAsNumber(key), isKey: (label) => label === key };
}
