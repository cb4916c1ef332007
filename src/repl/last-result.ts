import type { Span } from "../index.js";

/**
 * The last result, which is `_` in a line. The meaning of a definition must not change with the next result, so the
 * present result gets a name of its own in it: `a = _ * 2` becomes `a = _1 * 2`.
 */
export const last = "_";

/** Whether a text may mention it. */
export const mentionsLast = (text: string): boolean => /(?<![\w@$])_(?![\w@$])/.test(text);

/** Whether a name is that of an earlier result in a definition. */
export const isEarlier = (name: string): boolean => /^_\d+$/.test(name);

/** The first such name that none of these is. */
export function earlierName(taken: Iterable<string>): string {
  const names = new Set(taken);
  let at = 1;
  while (names.has(`${last}${at}`)) at++;
  return `${last}${at}`;
}

/** The text of a statement in which the last result has another name. */
export function withLast(statement: Statement, name: string): string {
  const { source, start, end } = statement.span;
  const spans = [...mentions(statement)].sort((one, other) => one.start - other.start);
  const starts = [start, ...spans.map((each) => each.end)];
  const ends = [...spans.map((each) => each.start), end];
  return starts.map((from, at) => source.text.slice(from, ends[at])).join(name);
}

interface Statement {
  readonly span: Span;
}

/** Where a tree mentions the last result. A part in which the name is a parameter or a dimension means that. */
function* mentions(tree: object): Generator<Span> {
  if (isMention(tree)) yield tree.name.span;
  if (binds(tree)) return;
  for (const [key, part] of Object.entries(tree)) {
    if (key !== "span" && typeof part === "object" && part !== null) yield* mentions(part);
  }
}

interface Mention {
  readonly name: { readonly span: Span };
}

function isMention(tree: object): tree is Mention {
  return "kind" in tree && tree.kind === "reference" && !("arguments" in tree) && isLast(nameIn(tree));
}

function binds(tree: object): boolean {
  const words = [
    ...("parameters" in tree && Array.isArray(tree.parameters) ? tree.parameters : []),
    ...("dimensions" in tree && Array.isArray(tree.dimensions) ? tree.dimensions.map(nameIn) : []),
  ];
  if (words.some(isLast)) return true;
  return "kind" in tree && tree.kind === "generate" && "type" in tree && binds(Object(tree.type));
}

const nameIn = (tree: unknown): unknown =>
  typeof tree === "object" && tree !== null && "name" in tree ? tree.name : undefined;

const isLast = (word: unknown): boolean =>
  typeof word === "object" && word !== null && "text" in word && word.text === last;
