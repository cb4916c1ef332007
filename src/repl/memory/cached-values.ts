import type { Tensor } from "../../index.js";

/** A statement by the name that it defines. */
type NamedStatement = readonly [name: string, text: string];

/** The values of definitions that were computed, each until something that it reads changes. */
export class CachedValues {
  private readonly values = new Map<string, Tensor>();

  get(name: string): Tensor | undefined {
    return this.values.get(name);
  }

  set(name: string, value: Tensor): void {
    this.values.set(name, value);
  }

  clear(): void {
    this.values.clear();
  }

  /** Forgets the values of names, and of all statements that read them. */
  forget(names: Iterable<string>, statements: readonly NamedStatement[]): void {
    for (const name of readersOf(names, statements)) this.values.delete(name);
  }
}

/**
 * The names, and those of all statements that read one of them, perhaps through others. What a statement reads is taken from its words, so
 * that a label of the same spelling counts too: a value is computed once more, and never wrong.
 */
function readersOf(names: Iterable<string>, statements: readonly NamedStatement[]): ReadonlySet<string> {
  const readers = namesByWord(statements, ([, text]) => text);
  return closure(names, readers);
}

/** The names that a text reads, perhaps through the statements of others. */
export function readBy(text: string, statements: readonly NamedStatement[]): ReadonlySet<string> {
  const named = namesByWord(statements, ([name]) => name);
  const texts = new Map(statements);
  return closure(named(text), (name) => {
    const own = texts.get(name);
    return own === undefined ? [] : named(own);
  });
}

/** Finds the names of the statements that have a word of a text, in the part that `of` takes of each. */
function namesByWord(
  statements: readonly NamedStatement[],
  of: (statement: NamedStatement) => string,
): (text: string) => readonly string[] {
  const names = new Map<string, string[]>();
  for (const each of statements)
    for (const word of wordsOf(of(each))) names.set(word, [...(names.get(word) ?? []), each[0]]);
  return (text) => [...wordsOf(text)].flatMap((word) => names.get(word) ?? []);
}

/** Some names and all that lead from them. */
function closure(first: Iterable<string>, next: (name: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(first);
  for (const name of found) for (const each of next(name)) found.add(each); // a set visits what is added meanwhile
  return found;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[\w@][\w@$]*/g) ?? []);
