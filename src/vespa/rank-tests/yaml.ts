import type { Document, Node } from "yaml";
import type { Json } from "../../formats/json/text.js";
import { JsonValue, Path } from "../../formats/json/text.js";
import { overflowOf } from "../../language/source/overflow.js";
import { type Problem, problem, SphexError } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";

/**
 * Files of people: YAML, of which JSON is a part. A value knows where it stands, so that whatever is wrong with it is
 * shown there. The library that reads YAML is loaded when the first such file is.
 */
export interface YamlValue {
  readonly value: Json;
  readonly span: Span;
  /** For readers of JSON values. */
  readonly json: JsonValue;
  readonly path: string;
  /** Of an object or list in the order of the text, and nothing of any other; keys with their places. */
  readonly entries: readonly YamlEntry[];
}

export interface YamlEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlValue;
}

/** How many aliases a text may have. What they stand for may hold aliases again. */
const mostAliases = 100;

/** The value of a text, or what is wrong with it. */
export async function readYaml(
  source: Source,
): Promise<{ readonly value: YamlValue | undefined; readonly problems: readonly Problem[] }> {
  const yaml = await import("yaml");
  const whole = { source, start: 0, end: source.text.length };
  try {
    const document = yaml.parseDocument(source.text, { prettyErrors: false, strict: true });
    const problems = [...document.errors, ...document.warnings].map(({ pos: [start, end], message }) =>
      problem("yaml/syntax", { source, start, end: Math.max(end, start) }, { reason: reasonOf(message) }),
    );
    if (problems.length > 0) return { value: undefined, problems };
    refuseBombs(document, whole);
    const { contents } = document;
    const root =
      contents === null ? new NullValue(whole) : new NodeValue(document, contents, whole, "$", yaml);
    return { value: root, problems };
  } catch (error) {
    if (error instanceof SphexError) return { value: undefined, problems: error.problems };
    return { value: undefined, problems: [problemOf(error, whole)] };
  }
}

/** Levels in levels may be more than the stack holds, which the library may tell in an error of its own. */
function problemOf(error: unknown, span: Span): Problem {
  const message = error instanceof Error ? error.message : `${error}`;
  const overflow = overflowOf(error) ?? (/call stack/i.test(message) ? "limit/stack" : undefined);
  return overflow === undefined
    ? problem("yaml/syntax", span, { reason: reasonOf(message) })
    : problem(overflow, span, {});
}

const reasonOf = (message: string): string =>
  message.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

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

class NullValue implements YamlValue {
  readonly value = null;
  readonly path = "$";
  readonly entries = [];

  constructor(readonly span: Span) {}

  get json(): JsonValue {
    return new JsonValue(null, this.span, Path.named(this.path));
  }
}

/** A node of YAML; what it stands for is made when it is asked for. */
class NodeValue implements YamlValue {
  constructor(
    private readonly document: Document,
    private readonly node: Node,
    private readonly whole: Span,
    readonly path: string,
    private readonly library: typeof import("yaml"),
  ) {}

  get span(): Span {
    return spanOf(this.node, this.whole);
  }

  get value(): Json {
    return this.node.toJS(this.document, { maxAliasCount: mostAliases }) as Json; // the core schema has no more
  }

  get json(): JsonValue {
    return new JsonValue(this.value, this.span, Path.named(this.path));
  }

  get entries(): readonly YamlEntry[] {
    const { document, whole, path } = this;
    const yaml = this.library;
    const node = yaml.isAlias(this.node) ? this.node.resolve(document) : this.node;
    if (yaml.isSeq(node)) {
      return node.items.map((each, at) => this.entry(`${at}`, undefined, each, `${path}[${at}]`));
    }
    if (!yaml.isMap(node)) return [];
    return node.items.map(({ key, value }) => {
      const name = yaml.isScalar(key) ? `${key.value}` : `${key}`;
      return this.entry(name, yaml.isNode(key) ? spanOf(key, whole) : undefined, value, `${path}.${name}`);
    });
  }

  private entry(key: string, keySpan: Span | undefined, value: unknown, path: string): YamlEntry {
    const { document, whole } = this;
    const yaml = this.library;
    const place = keySpan ?? this.span;
    const child = yaml.isNode(value)
      ? new NodeValue(document, value, whole, path, yaml)
      : new NullValue(place);
    return { key, keySpan: keySpan ?? child.span, value: child };
  }
}

function spanOf({ range }: Node, whole: Span): Span {
  if (range === undefined || range === null) return whole;
  const [start, end] = range;
  return { source: whole.source, start, end: Math.max(start, end) };
}
