import { JsonLeaf, type JsonValue } from "../../../formats/json/value.js";
import { fedText } from "../../documents/fed-values.js";
import type { Field, MadeValue } from "../../package/model/model.js";
import type { Document } from "./document.js";
import { present } from "./stored-values.js";

/** Fields outside a document that Vespa makes of others when it is fed, as far as that only puts these together. */
type Fields = ReadonlyMap<string, Field>;

/**
 * Documents with the fields that are made of others, but for those that they say themselves. What cannot be told is left out, and
 * so is what is made of nothing, but for texts, of which one may be missing where others are there.
 */
export function withMadeFields<Hit extends { readonly document: Document }>(
  hits: readonly Hit[],
  fields: Fields,
): readonly Hit[] {
  const made = [...fields].flatMap(([name, { where, made, typeText }]) =>
    where !== "outside" || made === undefined || made === "other"
      ? []
      : [{ name, made, type: plain(typeText) }],
  );
  if (made.length === 0) return hits;
  return hits.map((hit) => {
    const { document } = hit;
    const values = made.flatMap(({ name, made, type }): [string, JsonValue][] => {
      if (document.has(name)) return [];
      const found = new Making(document, fields, type).valueOf(made);
      return found === undefined || (found.kind === "null" && type !== "string") ? [] : [[name, found]];
    });
    return { ...hit, document: document.with(values) };
  });
}

const plain = (typeText: string): string => typeText.replace(/\s+/g, "").toLowerCase();

class Making {
  constructor(
    private readonly document: Document,
    private readonly fields: Fields,
    /** Of the field that is made; those that it is made of have the same. */
    private readonly type: string,
  ) {}

  /** What Vespa has at the end, `null` where that is no value; nothing where it cannot be told. */
  valueOf(made: MadeValue): JsonValue | undefined {
    if (made.kind === "field") return this.fieldOf(made.name);
    if (made.kind === "text")
      return this.type === "string" ? new JsonLeaf(made.text, made.span, "text") : undefined;
    return made.kind === "first" ? this.firstOf(made.of) : this.joined(made.of);
  }

  private fieldOf(name: string): JsonValue | undefined {
    const field = this.fields.get(name);
    if (field?.where !== "document" || plain(field.typeText) !== this.type) return undefined;
    const { source, start } = field.span;
    const none = new JsonLeaf(null, { source, start, end: start }, name);
    return this.document.json(name) ?? (this.document.isWhole ? none : undefined);
  }

  private firstOf(options: readonly MadeValue[]): JsonValue | undefined {
    let last: JsonValue | undefined;
    for (const each of options) {
      last = this.valueOf(each);
      if (last === undefined || present(last) !== undefined) return last;
    }
    return last;
  }

  /** Texts in a row; nothing where one of them is missing. */
  private joined(parts: readonly MadeValue[]): JsonValue | undefined {
    if (this.type !== "string") return undefined;
    const values = parts.map((each) => this.valueOf(each));
    const [first] = values;
    if (first === undefined || values.includes(undefined)) return undefined;
    const none = values.find((each) => each?.kind === "null");
    if (none !== undefined) return none;
    const texts = values.flatMap((each) => (each === undefined ? [] : (fedText(each) ?? [])));
    return texts.length === values.length ? new JsonLeaf(texts.join(""), first.span, first.key) : undefined;
  }
}
