/** What an option `dialect` may be. */
export const dialects = ["formalism", "vespa"] as const;

/** The language of the Paper with Vespa's additions, or what Vespa itself accepts. */
export type Dialect = (typeof dialects)[number];
