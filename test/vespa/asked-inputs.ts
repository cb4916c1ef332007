import { expect } from "vitest";
import { SphexError } from "../../src/index.js";
import {
  checkPackage,
  completedQuery,
  Document,
  type FeatureValue,
  isMissing,
  Ranking,
  readQuery,
  soundProfile,
} from "../../src/vespa.js";
import { packageOf, type Texts } from "../packages.js";
import { askedProfile } from "./asked-profile.js";

/** What a request is to a rank profile of a few inputs. */

export const cells = 1_000_000;
const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };

export const schema = (
  inputs: string,
  properties: string,
  expression: string,
  more = "",
): string => `schema doc {
  document doc {
    field price type double { indexing: attribute }
    field v type tensor<float>(x[2]) { indexing: attribute }
    field many type tensor<int8>(t{},x[2]) { indexing: attribute }
    field title type string { indexing: index
      index: enable-bm25 }
  }${askedProfile({ inputs, properties, expression, more })}
  rank-profile other {
    inputs {
      query(elsewhere) double
    }
    first-phase { expression: query(elsewhere) }
  }
}
`;

export interface Asked {
  readonly inputs?: string;
  readonly properties?: string;
  readonly more?: string;
  readonly expression?: string;
  /** JSON, or the parameters of a URL. */
  readonly query?: object | string;
  readonly files?: Texts;
}

export function asked({
  inputs = "",
  properties = "",
  expression = "query(w)",
  more = "",
  query = {},
  files = {},
}: Asked) {
  const read = packageOf({ "schemas/doc.sd": schema(inputs, properties, expression, more), ...files });
  expect(read.problems.map(({ message }) => message)).toEqual([]);
  const profile = soundProfile(read, checkPackage(read), "asked", nowhere);
  const text = typeof query === "string" ? query : JSON.stringify(query);
  const { query: whole, problems } = completedQuery(readQuery({ name: "query", text }).query, read);
  expect(problems).toEqual([]);
  const ranking = new Ranking({ package: read, profile });
  return { ranking, profile, query: whole };
}

export function feature(name: string, of: Asked): FeatureValue {
  const { ranking, query } = asked(of);
  const found = ranking
    .scorer({ query, cells })
    .feature(name, { document: new Document(undefined, new Map(), cells) });
  if (isMissing(found)) throw new Error(`${name} is missing`);
  return found;
}

const shown = ({ value, origin }: FeatureValue): string =>
  `${value.type.isScalar ? value.at(0) : value} ${origin}`;
export const inputOf = (of: Asked, name = "query(w)"): string => shown(feature(name, of));

export const codes = (of: Asked): string[] => {
  const { ranking, query } = asked(of);
  try {
    ranking.scorer({ query, cells });
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return ranking.warnings(query).map(({ code, message }) => `${code}: ${message}`);
};

export const declared = "query(w) double: 5";
