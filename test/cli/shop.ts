import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, command } from "../command.js";

/** A folder with a package whose rank profiles score what a shop has, with documents, a query and a response. */
export const schema = `schema doc {
  document doc {
    field title type string {
      indexing: index
      index: enable-bm25
    }
    field price type double { indexing: attribute }
    field v type tensor<float>(x[2]) { indexing: attribute }
  }
  rank-profile plain {
    inputs {
      query(q) tensor<float>(x[2])
      query(weight) double: 2
    }
    function likeness() { expression: sum(query(q) * attribute(v)) }
    first-phase { expression: query(weight) * likeness + bm25(title) }
    match-features: likeness bm25(title) attribute(price)
  }
  rank-profile cheap inherits plain {
    second-phase {
      expression: firstPhase - attribute(price)
      rerank-count: 2
    }
  }
  rank-profile broken {
    first-phase { expression: atribute(price) }
  }
}
`;

export const documents = [
  { put: "id:shop:doc::1", fields: { price: 5, v: [1, 0] } },
  { put: "id:shop:doc::2", fields: { price: 50, v: [1, 1] } },
  { put: "id:shop:doc::3", fields: { price: 1, v: [0, 1] } },
];

export const hit = (id: number, relevance: number, features: object): object => ({
  id: `id:shop:doc::${id}`,
  relevance,
  fields: { matchfeatures: features },
});
const response = {
  root: {
    children: [
      hit(2, 7, { likeness: 3, "bm25(title)": 1, "attribute(price)": 50 }),
      hit(1, 4.5, { likeness: 2, "bm25(title)": 0.5, "attribute(price)": 5 }),
    ],
  },
};

export function shop(files: Readonly<Record<string, unknown>> = {}): Command {
  const own = command();
  mkdirSync(join(own.folder, "schemas"));
  const all = {
    "schemas/doc.sd": schema,
    "doc.json": documents[0],
    "feed.jsonl": documents.map((each) => JSON.stringify(each)).join("\n"),
    "query.json": { "input.query(q)": [2, 1] },
    "response.json": response,
    ...files,
  };
  for (const [name, data] of Object.entries(all))
    writeFileSync(join(own.folder, name), typeof data === "string" ? data : JSON.stringify(data));
  return own;
}
