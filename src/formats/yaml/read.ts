import type { Document, Node, Scalar } from "yaml";
import { overflowOf } from "../../language/limits/overflow.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { thrownText } from "../../language/source/thrown.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { type Json, type JsonKind, JsonLeaf, type JsonScalar, JsonValue, kindOf } from "../json/value.js";
import { problem } from "./messages.js";

/**
 * Files of people: YAML, of which JSON is a part, as values of JSON, which know where they are written. The library that
 * reads YAML is loaded when the first such file is.
 */

/** How many aliases a text may have. What they stand for may hold aliases again. */
const mostAliases = 100;

/** A million wrong signs need no million problems. */
const mostProblems = 1000;

/** How many levels a line may begin: the library takes the square of their number to read `- - - …`. */
const mostLevels = 500;

/** That a line begins too many lists and maps in each other. */
function tooDeep(source: Source): Problem | undefined {
  const prefix = /(?:[ \t]*[-?:](?=[ \t]))+/y;
  const lineBreak = /\n|$/g;
  for (let start = 0; start < source.text.length; start = lineBreak.lastIndex) {
    prefix.lastIndex = start;
    const { length } = (prefix.exec(source.text)?.[0] ?? "").replaceAll(/[ \t]/g, "");
    if (length > mostLevels) return problem("limit/stack", { source, start, end: prefix.lastIndex }, {});
    lineBreak.lastIndex = start;
    lineBreak.exec(source.text);
    if (lineBreak.lastIndex === start) lineBreak.lastIndex++;
  }
  return undefined;
}

/** The value of a text, or what is wrong with it. */
export async function readYaml(source: Source): Promise<Parsed<JsonValue>> {
  const yaml = await import("yaml");
  const whole = { source, start: 0, end: source.text.length };
  const deep = tooDeep(source);
  if (deep !== undefined) return { tree: undefined, problems: [deep] };
  try {
    const document = yaml.parseDocument(source.text, {
      logLevel: "error",
      prettyErrors: false,
      strict: true,
      // The library compares each key with all others of its map.
      uniqueKeys: false,
    });
    const problems = [...document.errors, ...document.warnings]
      .slice(0, mostProblems)
      .map(({ pos, message }) => problem("yaml/syntax", spanOf(pos, whole), { reason: reasonOf(message) }));
    const found = problems.length > 0 ? problems : keyProblems(document, whole, yaml);
    if (found.length > 0) return { tree: undefined, problems: found };
    refuseBombs(document, whole);
    const text = { document, whole, library: yaml };
    return { tree: nodeOf(document.contents, text, "$"), problems: [] };
  } catch (error) {
    if (error instanceof SphexError) return { tree: undefined, problems: error.problems };
    return { tree: undefined, problems: [problemOf(error, whole)] };
  }
}

/** Levels in levels may be more than the stack holds, which the library may tell in an error of its own. */
function problemOf(error: unknown, span: Span): Problem {
  const message = thrownText(error);
  const overflow = overflowOf(error) ?? (/call stack/i.test(message) ? "limit/stack" : undefined);
  return overflow === undefined
    ? problem("yaml/syntax", span, { reason: reasonOf(message) })
    : problem(overflow, span, {});
}

/**
 * A problem for each key that its map has already, or that is a list or a map: to the library such a key is its text, in which
 * that of a key within it is escaped, which doubles it at each level.
 */
function keyProblems(document: Document, whole: Span, library: typeof import("yaml")): Problem[] {
  const problems: Problem[] = [];
  const report = (found: Problem): void => {
    if (problems.length < mostProblems) problems.push(found);
  };
  const open: unknown[] = [document.contents];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (library.isSeq(node)) for (const each of node.items) open.push(each);
    if (!library.isMap(node)) continue;
    const keys = new Set<string>();
    for (const { key, value } of node.items) {
      open.push(value);
      const target = targetOf(key, document, library);
      const span = spanOf(library.isNode(key) ? key.range : undefined, whole);
      if (library.isCollection(target))
        report(problem("yaml/key", span, { kind: library.isMap(target) ? "map" : "list" }));
      if (!library.isScalar(target)) continue;
      const name = textOf(target);
      if (keys.has(name)) report(problem("yaml/syntax", span, { reason: "map keys must be unique" }));
      keys.add(name);
    }
  }
  return problems;
}

/** Without what the library advises those who call it. */
function reasonOf(message: string): string {
  const [reason = message] = message.split("; please use ");
  return reason.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

function refuseBombs(document: Document, span: Span): void {
  try {
    document.toJS({ maxAliasCount: mostAliases });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    // The same error says that an alias stands for nothing; then it names it.
    const isBomb = error.message.startsWith("Excessive");
    throw new SphexError([
      isBomb
        ? problem("yaml/aliases", span, {})
        : problem("yaml/syntax", span, { reason: reasonOf(error.message) }),
    ]);
  }
}

interface Text {
  readonly document: Document;
  readonly whole: Span;
  readonly library: typeof import("yaml");
}

/** Where nothing is written, as in an empty text or behind a key, there is a null. */
function nodeOf(
  node: unknown,
  text: Text,
  key: string | number,
  parent?: JsonValue,
  keySpan?: Span,
): JsonValue {
  if (text.library.isNode(node)) return new YamlNode(node, text, key, parent, keySpan);
  return new JsonLeaf(null, keySpan ?? parent?.span ?? text.whole, key, parent);
}

/** A node of YAML; what it stands for is made when it is asked for. */
class YamlNode extends JsonValue {
  constructor(
    private readonly node: Node,
    private readonly text: Text,
    key: string | number,
    parent: JsonValue | undefined,
    private readonly ownKeySpan: Span | undefined,
  ) {
    super(parent, key);
  }

  get kind(): JsonKind {
    const { scalar } = this;
    if (scalar !== undefined) return kindOf(scalar);
    return this.text.library.isMap(this.target) ? "object" : "array";
  }

  get span(): Span {
    return spanOf(this.node.range, this.text.whole);
  }

  get keySpan(): Span {
    return this.ownKeySpan ?? this.span;
  }

  get value(): Json {
    return this.node.toJS(this.text.document, { maxAliasCount: mostAliases }) as Json; // the core schema has no more
  }

  /** Of an alias of a number or truth value, that of what it stands for. */
  override get written(): string {
    const { target } = this;
    const isText = typeof this.scalar === "string";
    return this.text.library.isScalar(target) && !isText ? textOf(target) : super.written;
  }

  get scalar(): JsonScalar | undefined {
    const { library } = this.text;
    const { target } = this;
    if (library.isCollection(target)) return undefined;
    return library.isScalar(target) ? (target.value as JsonScalar) : null; // the core schema has no more
  }

  *items(): Generator<JsonValue> {
    const { text, target } = this;
    const { document, library, whole } = text;
    if (library.isSeq(target)) {
      for (const [at, element] of target.items.entries()) yield nodeOf(element, text, at, this);
    } else if (library.isMap(target)) {
      for (const { key, value } of target.items) {
        const target = targetOf(key, document, library);
        const name = library.isScalar(target) ? textOf(target) : "";
        yield nodeOf(value, text, name, this, library.isNode(key) ? spanOf(key.range, whole) : undefined);
      }
    }
  }

  private get target(): unknown {
    const { library, document } = this.text;
    return targetOf(this.node, document, library);
  }
}

/** What an alias stands for; anything else as it is. */
const targetOf = (node: unknown, document: Document, library: typeof import("yaml")): unknown =>
  library.isAlias(node) ? node.resolve(document) : node;

/** What a text says, or what is written of a number, truth value or null: `007` is a label of its own, and so are 20 digits. */
const textOf = ({ value, source }: Scalar): string =>
  typeof value === "string" ? value : (source ?? `${value}`);

/** The library knows ranges that go beyond the text, and some that it does not know. */
function spanOf(range: readonly number[] | null | undefined, { source, end }: Span): Span {
  const [from = 0, to = end] = range ?? [];
  const start = Math.min(from, end);
  return { source, start, end: Math.max(start, Math.min(to, end)) };
}
