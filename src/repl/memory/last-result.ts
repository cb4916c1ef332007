import type { Span } from "../../index.js";

/**
 * The last result, which is `_` in a line. The meaning of a definition must not change with the next result, so the
 * present result gets a name of its own in it, which nobody writes: `a = _ * 2` becomes `a = _earlier_1 * 2`.
 */
export const last = "_";

/** Whether a text may mention it. */
export const mentionsLast = (text: string): boolean => /(?<![\w@$])_(?![\w@$])/.test(text);

const earlier = "_earlier_";

/** Whether a name is that of an earlier result in a definition. */
export const isEarlier = (name: string): boolean => /^_earlier_\d+$/.test(name);

/** The first such name that none of these is. */
export function earlierName(taken: Iterable<string>): string {
  const names = new Set(taken);
  let at = 1;
  while (names.has(`${earlier}${at}`)) at++;
  return `${earlier}${at}`;
}

/** Another name in the place of one in a text. */
export interface Renaming {
  readonly span: Span;
  readonly other: string;
}

/** Whether a mention of a name is read as a value. */
export type IsValue = (mention: Span) => boolean;

const always: IsValue = () => true;

/** The text of a statement in which some values have other names. */
export function withNames(
  statement: Statement,
  names: ReadonlyMap<string, string>,
  isValue: IsValue = always,
): string {
  const { source, start, end } = statement.span;
  return renamed(source.text, start, end, renamingsIn(statement, names, isValue));
}

/** Where a statement mentions values, in the order of the text. */
export function renamingsIn(
  statement: Statement,
  names: ReadonlyMap<string, string>,
  isValue: IsValue = always,
): readonly Renaming[] {
  const found = [...names].flatMap(([name, other]) =>
    [...mentions(statement, name)].filter(isValue).map((span) => ({ span, other })),
  );
  return found.sort((one, another) => one.span.start - another.span.start);
}

/** A part of a text with other names. */
export function renamed(text: string, start: number, end: number, renamings: readonly Renaming[]): string {
  let [result, from] = ["", start];
  for (const { span, other } of renamings) {
    result += text.slice(from, span.start) + other;
    from = span.end;
  }
  return result + text.slice(from, end);
}

/** Whether an expression reads a value. */
export const mentionsValue = (tree: object, name: string, isValue: IsValue): boolean =>
  [...mentions(tree, name)].some(isValue);

/** Whether an expression is a name and nothing else. */
export const isName = (tree: object): tree is Mention =>
  isReference(tree) && "outputs" in tree && Array.isArray(tree.outputs) && tree.outputs.length === 0;

interface Statement {
  readonly span: Span;
}

/** Where a tree mentions a name. A part in which the name is a parameter or a dimension means that. */
function* mentions(tree: object, name: string): Generator<Span> {
  if (isMention(tree, name)) yield tree.name.span;
  if (binds(tree, name)) return;
  for (const [key, part] of Object.entries(tree)) {
    if (key !== "span" && typeof part === "object" && part !== null) yield* mentions(part, name);
  }
}

interface Mention {
  readonly name: { readonly span: Span; readonly text: string };
}

const isReference = (tree: object): boolean =>
  "kind" in tree && tree.kind === "reference" && !("arguments" in tree);

function isMention(tree: object, name: string): tree is Mention {
  return isReference(tree) && isWord(nameIn(tree), name);
}

function binds(tree: object, name: string): boolean {
  const words = [
    ...("parameters" in tree && Array.isArray(tree.parameters) ? tree.parameters : []),
    ...("dimensions" in tree && Array.isArray(tree.dimensions) ? tree.dimensions.map(nameIn) : []),
  ];
  if (words.some((each) => isWord(each, name))) return true;
  return "kind" in tree && tree.kind === "generate" && "type" in tree && binds(Object(tree.type), name);
}

const nameIn = (tree: unknown): unknown =>
  typeof tree === "object" && tree !== null && "name" in tree ? tree.name : undefined;

const isWord = (word: unknown, name: string): boolean =>
  typeof word === "object" && word !== null && "text" in word && word.text === name;
