/** The parameters of Vespa's own query profile type, `native`: what is behind a point is of types of their own. */
// biome-ignore format: a table
export const nativeNames = [
  "dispatch", "groupingSessionCache", "hits", "model", "noCache", "offset", "presentation", "providerName", "queryProfile", "ranking",
  "searchChain", "select", "sourceName", "timeout", "trace",
];

/** What requests may call a part of it, in lower or upper case. */
// biome-ignore format: a table
const aliases: Readonly<Record<string, readonly string[]>> = {
  groupingSessionCache: ["groupingsessioncache"],
  hits:                 ["hits", "count"],
  model:                ["sources", "search", "query", "language", "lang", "locale", "encoding", "restrict", "type", "filter", "default-index", "searchpath"],
  noCache:              ["nocache"],
  offset:               ["offset", "start"],
  presentation:         ["bolding", "summary", "summaryfields", "format", "timing"],
  ranking:              ["rankfeatures", "matchphase", "sorting", "sortspec", "datetime", "location", "ranking"],
  timeout:              ["timeout"],
  trace:                ["explainlevel", "tracelevel"],
};

export const nativeAliases: ReadonlyMap<string, string> = new Map(
  Object.entries(aliases).flatMap(([name, all]) => all.map((each) => [each, name] as const)),
);
