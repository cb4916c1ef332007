import type { Tensor } from "../index.js";

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
  forget(names: Iterable<string>, statements: readonly (readonly [name: string, text: string])[]): void {
    for (const name of readersOf(names, statements)) this.values.delete(name);
  }
}

/**
 * The names, and those of all statements that read one of them, perhaps through others. What a statement reads is taken from its words, so
 * that a label of the same spelling counts too: a value is computed once more, and never wrong.
 */
function readersOf(
  names: Iterable<string>,
  statements: readonly (readonly [name: string, text: string])[],
): ReadonlySet<string> {
  const readers = new Map<string, string[]>();
  for (const [name, text] of statements)
    for (const word of wordsOf(text)) readers.set(word, [...(readers.get(word) ?? []), name]);
  return closure(names, (name) => [...wordsOf(name)].flatMap((word) => readers.get(word) ?? []));
}

/** The names that a text reads, perhaps through the statements of others. */
export function readBy(
  text: string,
  statements: readonly (readonly [name: string, text: string])[],
): ReadonlySet<string> {
  const named = new Map<string, string[]>();
  for (const [name] of statements)
    for (const word of wordsOf(name)) named.set(word, [...(named.get(word) ?? []), name]);
  const texts = new Map(statements);
  const read = (part: string): string[] => [...wordsOf(part)].flatMap((word) => named.get(word) ?? []);
  return closure(read(text), (name) => read(texts.get(name) ?? ""));
}

/** Some names and all that lead from them. */
function closure(first: Iterable<string>, next: (name: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(first);
  for (const name of found) for (const each of next(name)) found.add(each); // a set visits what is added meanwhile
  return found;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[\w@][\w@$]*/g) ?? []);
