import type { PackageText } from "./profile-request.js";

/** A small package to begin with: articles that are found by their words, by their meaning, and by how new they are. */
export const sampleProfile: {
  readonly files: readonly PackageText[];
  readonly documents: string;
  readonly query: string;
} = {
  files: [
    {
      path: "schemas/article.sd",
      text: `schema article {
  document article {
    field title type string {
      indexing: index | summary
      index: enable-bm25
    }
    field published type long {
      indexing: attribute
    }
    field readers type int {
      indexing: attribute
    }
    field embedding type tensor<float>(x[3]) {
      indexing: attribute | index
      attribute {
        distance-metric: angular
      }
    }
  }

  fieldset default {
    fields: title
  }

  rank-profile hybrid {
    inputs {
      query(embedding) tensor<float>(x[3])
      query(words_weight) double: 1.0
      query(meaning_weight) double: 2.0
      query(fresh_weight) double: 0.5
    }
    function words() {
      expression: bm25(title)
    }
    function meaning() {
      expression: sum(query(embedding) * attribute(embedding))
    }
    function fresh() {
      expression: freshness(published)
    }
    function popular() {
      expression: log10(1 + attribute(readers))
    }
    first-phase {
      expression: query(words_weight) * words + query(fresh_weight) * fresh + 0.2 * popular
    }
    second-phase {
      expression: firstPhase + query(meaning_weight) * meaning
      rerank-count: 10
    }
    match-features: words meaning fresh popular
  }
}
`,
    },
  ],
  documents: `{"put": "id:press:article::wasps", "fields": {"title": "How wasps build", "published": 1699000000, "readers": 900, "embedding": [0.9, 0.1, 0.4]}}
{"put": "id:press:article::bees", "fields": {"title": "Bees and tensors", "published": 1699990000, "readers": 50, "embedding": [0.6, 0.8, 0]}}
{"put": "id:press:article::ants", "fields": {"title": "Ants", "published": 1690000000, "readers": 20000, "embedding": [0.1, 0.2, 0.9]}}
{"put": "id:press:article::paper", "fields": {"title": "A paper on tensors", "published": 1699900000, "readers": 4, "embedding": [0, 1, 0.1]}}
`,
  query: `{
  "yql": "select * from article where userQuery()",
  "query": "tensors",
  "ranking.profile": "hybrid",
  "ranking.freshness": 1700000000,
  "input.query(embedding)": [0.6, 0.8, 0],
  "input.query(meaning_weight)": 2
}
`,
};
