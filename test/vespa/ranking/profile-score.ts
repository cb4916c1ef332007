import {
  checkPackage,
  Document,
  featureSetting,
  Ranking,
  readFeed,
  readPackage,
  readQuery,
  soundProfile,
} from "../../../src/vespa.js";
import { askedProfile } from "../asked-profile.js";

/** The score of a document by a rank profile of one expression. */

export const cells = 1_000_000;

/** What a score may depend on; everything that is not said is as it is where nobody says anything. */
export interface Asked {
  readonly fields?: string;
  readonly inputs?: string;
  readonly properties?: string;
  readonly document?: object;
  readonly query?: object;
  readonly now?: number;
  readonly given?: readonly string[];
  /** What else the profile has. */
  readonly more?: string;
}

export async function scored(expression: string, asked: Asked = {}) {
  const {
    fields = "",
    inputs = "",
    properties = "",
    document = {},
    query = {},
    given = [],
    more = "",
  } = asked;
  const text = `schema doc {
    document doc { ${fields} }${askedProfile({ inputs, properties, expression, more })}
  }`;
  const files = {
    list: (folder: string) => (folder === "schemas" ? ["schemas/doc.sd"] : []),
    read: () => text,
  };
  const read = readPackage(files);
  const checked = checkPackage(read);
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checked, "asked", span);
  const features = new Map(given.map(featureSetting));
  const ranking = new Ranking({ package: read, profile, overrides: features });
  const request = readQuery({ name: "query", text: JSON.stringify(query) }).query;
  const scorer = ranking.scorer({ query: request, now: asked.now, cells }, features);
  const [entry] = [
    ...readFeed({ name: "document", text: JSON.stringify({ put: "id:a:doc::1", fields: document }) }),
  ];
  const hit = { document: new Document("id:a:doc::1", entry?.document?.fields ?? new Map(), cells) };
  return { scorer, hit, profile, request, ranking };
}

export async function scoreOf(expression: string, asked?: Asked): Promise<number> {
  const { scorer, hit } = await scored(expression, asked);
  return scorer.number("first-phase", hit);
}

export const attribute = (name: string, type: string, more = ""): string =>
  `field ${name} type ${type} { indexing: attribute ${more} }\n`;
