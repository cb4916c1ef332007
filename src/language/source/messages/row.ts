/** Errors stop a program. A portability problem is a warning, and an error in dialect vespa. */
export type Severity = "error" | "warning" | "portability";

/** A problem in words: one plain sentence, what was found and wanted where that helps, at most one hint. */
export interface Words {
  readonly says: string;
  readonly found?: string | undefined;
  readonly wanted?: string | undefined;
  readonly hint?: string | undefined;
}

/** A row of the table of messages: how bad it is, and its words for the values of a case. */
export interface Row<V> {
  readonly severity: Severity;
  readonly words: (values: V) => Words;
}

export const error = <V>(words: (values: V) => Words): Row<V> => ({ severity: "error", words });
export const warning = <V>(words: (values: V) => Words): Row<V> => ({ severity: "warning", words });
export const portability = <V>(words: (values: V) => Words): Row<V> => ({ severity: "portability", words });

/** The hint of a nearest name, where there is one. */
export const didYouMean = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `did you mean ${name}?`;
