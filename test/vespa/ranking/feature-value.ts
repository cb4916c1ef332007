import {
  checkPackage,
  Document,
  Ranking,
  readFeed,
  readQuery,
  type Statistics,
  soundProfile,
} from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** Features of words in a test: one schema with a field of each kind, and letters as words. */
const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };

const schema = (profile: string): string => `schema doc {
  document doc {
    field f type string { indexing: index }
    field g type string { indexing: index }
    field accents type string { indexing: index
      normalizing: none }
    field parts type array<string> { indexing: index
      index: enable-bm25 }
    field brand type string { indexing: attribute
      attribute: fast-search }
    field price type int { indexing: attribute }
    field tags type weightedset<string> { indexing: attribute }
    field names type array<string> { indexing: attribute }
    field code type string { indexing: attribute
      match: cased }
    field label type array<string> { indexing: index
      match: word }
    field grams type string { indexing: index
      match { gram
        gram-size: 2 } }
    field v type tensor<float>(x[2]) { indexing: attribute }
    struct person { field name type string {} field age type int {} }
    field people type array<person> { indexing: summary
      struct-field name { indexing: attribute
        attribute: fast-search }
      struct-field age { indexing: attribute } }
    field shelf type map<string, person> { indexing: summary
      match: cased
      struct-field key { indexing: attribute }
      struct-field value { struct-field name { indexing: attribute
        match: uncased } } }
  }
  fieldset both { fields: f, g }
  fieldset mixed { fields: f, grams }
  rank-profile asked {
    inputs { query(q) tensor<float>(x[2]) }
    ${profile}
  }
}
`;

export interface Asked {
  /** What stands behind `where`. */
  readonly where?: string;
  readonly document?: object;
  readonly profile?: string;
  readonly query?: object;
  readonly documents?: number;
  /** In how many documents each word is. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** The value of a feature; nothing where it is not known. */
export function featureValue(feature: string, asked: Asked): number | undefined {
  const { where, document = {}, profile: settings = "", documents = 100, counts = {} } = asked;
  const read = packageOf({
    "schemas/doc.sd": schema(`${settings}\n first-phase { expression: ${feature} }`),
  });
  const profile = soundProfile(read, checkPackage(read), "asked", nowhere);
  const fields = JSON.stringify({ put: "id:a:doc::1", fields: document });
  const [entry] = readFeed({ name: "feed", text: fields });
  const yql = where === undefined ? {} : { yql: `select * from doc where ${where}` };
  const text = JSON.stringify({ ...yql, ...asked.query });
  const statistics: Statistics = {
    documents,
    averageLength: () => undefined,
    documentsWith: (_, word) => counts[word] ?? 0,
    words: () => Object.keys(counts),
  };
  const scorer = new Ranking({ package: read, profile }).scorer({
    ...{ query: readQuery({ name: "query", text }).query, cells: 1_000, statistics },
  });
  const hit = { document: new Document("1", entry?.document?.fields ?? new Map(), 1_000) };
  const outcome = scorer.values(["first-phase"], hit).get("first-phase");
  return outcome?.kind === "value" ? outcome.value.asNumber() : undefined;
}
