import type { Span } from "../../language/source/span.js";
import type { Tape } from "./tape.js";
import { type Json, type JsonKind, type JsonScalar, JsonValue } from "./value.js";

const kinds: Readonly<Record<string, JsonKind>> = {
  "{": "object",
  "[": "array",
  '"': "string",
  t: "boolean",
  f: "boolean",
  n: "null",
};

/** A value in a JSON text: an entry of its tape. It is decoded when it is first used. */
export class JsonNode extends JsonValue {
  constructor(
    private readonly tape: Tape,
    private readonly entry: number,
    key: string | number,
    parent?: JsonNode,
  ) {
    super(parent, key);
  }

  get kind(): JsonKind {
    const { source } = this.tape;
    return kinds[source.text.charAt(this.tape.start(this.entry))] ?? "number";
  }

  get span(): Span {
    return this.tape.span(this.entry);
  }

  /** A key is the entry before its value; the whole text has none, and neither has an element. */
  get keySpan(): Span {
    const isMember = this.entry > 0 && typeof this.key === "string";
    return this.tape.span(isMember ? this.entry - 1 : this.entry);
  }

  get value(): Json {
    return JSON.parse(this.written);
  }

  get scalar(): JsonScalar | undefined {
    const { kind } = this;
    if (kind === "number") return Number(this.written);
    if (kind === "string") return this.tape.string(this.entry);
    if (kind === "boolean") return this.written === "true";
    return kind === "null" ? null : undefined;
  }

  override get written(): string {
    return this.tape.written(this.entry);
  }

  *items(): Generator<JsonNode> {
    const { tape, entry, kind } = this;
    const end = tape.behind(entry);
    if (kind === "array") {
      for (let each = entry + 1, at = 0; each < end; each = tape.behind(each), at++)
        yield new JsonNode(tape, each, at, this);
    } else {
      for (let key = entry + 1; key < end; key = tape.behind(key + 1))
        yield new JsonNode(tape, key + 1, tape.string(key), this);
    }
  }

  override member(key: string): JsonNode | undefined {
    const { tape, entry } = this;
    if (this.kind !== "object") return undefined;
    let found: number | undefined;
    for (let each = entry + 1; each < tape.behind(entry); each = tape.behind(each + 1))
      if (tape.isString(each, key)) found = each + 1;
    return found === undefined ? undefined : new JsonNode(tape, found, key, this);
  }
}
