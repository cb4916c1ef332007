import { checkPackage, Document, featureSetting, Ranking, soundProfile } from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** What the values are computed for. */
export const features = {
  "attribute(price)": "7",
  "attribute(v)": "tensor<float>(x[3]):[1,2,3]",
  "attribute(m)": "tensor(k{}):{a:1,w:5}",
  "query(d)": "4",
};

/** A schema with a function `it`, which is deployed for what the engines get. */
export const schema = (body: string, more = ""): string => `schema doc {
  document doc {
    field price type double { indexing: attribute }
    field v type tensor<float>(x[3]) { indexing: attribute }
    field m type tensor(k{}) { indexing: attribute }
  }
  rank-profile p {
    inputs { query(d) double }
    constants {
      w: 2
      x: 3
    }
    ${more}
    function it() { expression: ${body} }
    first-phase { expression: 1 }
  }
}
`;

/** The value of an expression as engines get it, with what is told of it. */
export function deployed(body: string, more?: string) {
  const read = packageOf({ "schemas/doc.sd": schema(body, more) });
  const checked = checkPackage(read);
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checked, "p", span);
  const overrides = new Map(
    Object.entries(features).map(([name, value]) => featureSetting(`${name}=${value}`)),
  );
  const ranking = new Ranking({ package: read, profile, overrides });
  const scorer = ranking.scorer({ query: undefined, cells: 1000 }, overrides);
  const outcome = scorer.values(["it"], { document: new Document("id:a:doc::1", new Map(), 1000) }).get("it");
  return {
    value: outcome?.kind === "value" ? `${outcome.value}` : "missing",
    codes: checked.problems.map(({ code }) => code),
    warnings: ranking.warnings(undefined).map(({ code }) => code),
  };
}
