import { canonicalName, parseProgram } from "../../index.js";

/** What a text is parsed as. */
export type TextKind = "program" | "expression";

/**
 * The names that the expressions of a text refer to, canonical: `query(q)`, `$q` and `a`, and words that may be dimensions or
 * sizes there. Each text is parsed once, whoever asks.
 */
export function mentionedNames(text: string, kind: TextKind): ReadonlySet<string> {
  if (latest?.text === text && latest.kind === kind) return latest.names;
  // Within parentheses line breaks mean nothing, as in an expression.
  const parsed = kind === "program" ? text : `(${text}\n)`;
  const { tree } = parseProgram({ name: kind, text: parsed });
  const names = new Set<string>();
  for (const { start, end, word } of referencesIn(tree)) {
    names.add(word);
    const written = parsed.slice(start, end);
    if (written !== word) names.add(canonicalName(written));
  }
  latest = { text, kind, names };
  return names;
}

let latest:
  | { readonly text: string; readonly kind: TextKind; readonly names: ReadonlySet<string> }
  | undefined;

interface Mention {
  readonly start: number;
  readonly end: number;
  readonly word: string;
}

/** All references and sizes of a tree, whatever they stand in: its objects and lists are gone through as they are. */
function* referencesIn(tree: unknown): Iterable<Mention> {
  const open = [tree];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const each of next) open.push(each);
    else if (isNode(next)) {
      if (next.kind === "reference" && isNode(next.span) && isNode(next.name))
        yield { start: Number(next.span.start), end: Number(next.span.end), word: `${next.name.text}` };
      if (isNode(next.size) && isNode(next.size.span))
        yield {
          start: Number(next.size.span.start),
          end: Number(next.size.span.end),
          word: `${next.size.text}`,
        };
      for (const [key, each] of Object.entries(next)) if (key !== "span" && isObject(each)) open.push(each);
    }
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isNode = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value);
