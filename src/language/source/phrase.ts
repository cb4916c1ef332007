/**
 * The phrases that messages are composed of: a table by key, each a text or a function of values. The values of a
 * problem have only the key, so that programs can look at it, and the message has the words.
 */
type PhraseRow = string | ((values: never) => string);

/** A phrase of a table: its key, or the values that its function takes, with the key as their `kind`. */
export type Phrase<Table> = {
  [Key in keyof Table & string]: Table[Key] extends (values: infer Values) => string
    ? { readonly kind: Key } & Values
    : Key;
}[keyof Table & string];

/** What puts the phrases of a table in words. */
export const phrases =
  <Table extends { readonly [Key in keyof Table]: PhraseRow }>(table: Table) =>
  (phrase: Phrase<Table>): string => {
    const row: PhraseRow = table[typeof phrase === "string" ? phrase : phrase.kind];
    // The type of a phrase has the values that the row under its key takes.
    return typeof row === "string" ? row : row(phrase as never);
  };
