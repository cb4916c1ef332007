/** What a query request says that changes ranking in Vespa and nothing here, by the beginnings of parameters. */
export const ineffective = {
  "ranking.sorting": "sorting",
  sorting: "sorting",
  "ranking.matchPhase": "match phase",
  "ranking.keepRankCount": "kept hits",
  "ranking.softtimeout": "timeout",
  "ranking.matching": "matching",
  "ranking.significance": "significance",
} as const;

export type IneffectiveParameter = (typeof ineffective)[keyof typeof ineffective];
