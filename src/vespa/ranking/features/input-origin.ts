/** Where the value of an input comes from: a request, a query profile, the schema; `unset` where nobody says it. */
export type InputOrigin = "query" | "query profile" | "rank-properties" | "default" | "unset";
