/** A schema with a statement of every kind. A line that is only a `~` and a word is a place for one more statement of that block. */
export const schemaText = `# A comment: don't mind its { and "
schema shop inherits base {
  document shop inherits item, thing {
    struct person {
      field name type string {}
    }
    field title type string {
      indexing: input title | index "}" | summary   # as text
      index: enable-bm25
      match { gram
        gram-size: 2 }
      ~ field
    }
    field people type map<string, array<person>>
    {
      indexing {
        input people | for_each { if (_ == "{") { "a" } else { "b" }; } | attribute;
      }
      struct-field value.name { indexing: attribute
        ~ field
        attribute: fast-search }
    }
    field v type tensor<bfloat16>(chunk{}, x[4]) {
      attribute { distance-metric: prenormalized-angular
        fast-rank
        ~ setting
      }
      index {
        hnsw { max-links-per-node: 16 }
      }
      indexing: attribute | index
    }
    ~ document
  }
  import field ref.price as price {}
  field old type int[] {}
  fieldset default { fields: title, people }
  document-summary short inherits default { summary title type string { source: title } from-disk
    ~ setting
  }
  constant weights {
    file: constants/weights.json
    type: tensor(x[4])
  }
  onnx-model scorer {
    file: models/scorer.onnx
    input "in:0": features   # a name in quotes
    output out: score
    ~ model
  }
  rank-profile base { }
  ~ schema
  rank-profile main inherits base, other {
    num-threads-per-search: 2
    ignore-default-rank-features
    inputs {
      query(v) tensor<float>(x[4]): [1, 2,
        3, 4]
      query(m) tensor(k{}): { a: 1, 'b}c': 2.5 }
      q double: -0.5 query(word) string: "hello"
      plain
    }
    constants {
      list tensor(x[2]): [4, 5]
      constant(stored) tensor(x[4]): file:constants/weights.json
      half: 0.5
      stated: tensor(k{}):{a:7}
      older {
        type: tensor(k{})
        value { {k:a}:1 }
      }
    }
    function inline twice(a) { expression: a * 2 }
    macro older(a, b) {
      expression {
        if (a > b,   # a comment with a }
          a, "}{")
      }
      ~ phase
    }
    first-phase
    {
      keep-rank-count: 20 expression: twice(query(q)) + m{a:1}
      rank-score-drop-limit: 0.001
      ~ phase
    }
    ~ profile
    second-phase { expression { sum(query(v) * attribute(v)) } rerank-count: 7 }
    global-phase { expression: file:models/last.expression
      rerank-count: 5 }
    match-features: bm25(title) fieldMatch(title).proximity attribute( price )
    summary-features inherits base, other {
      twice(3)
      now
    }
    rank-properties {
      fieldMatch(title).maxOccurrences: 5
      "bm25(title).k1" : "1.5"
      elementwise(bm25(field: title), x).k1: 1.4   # so far
    }
    match-phase { attribute: price
      order: descending }
    rank title { element-gap: 0 }
    mutate { on-match { price += 1 } }
    rank-profile inner inherits main { }
    onnx-model own { file: own.onnx }
  }
}
`;

const hole = /^ *~ (\w+)\n/gm;

/** The text without the places for more. */
export const plainSchema = schemaText.replace(hole, "");

/** The text with a statement in one of its places, for each place of these blocks; and where the statement is. */
export function withStatement(
  statement: string,
  blocks: readonly string[],
): { readonly text: string; readonly start: number; readonly end: number }[] {
  return [...schemaText.matchAll(hole)].flatMap((found) => {
    if (!blocks.includes(found[1] ?? "")) return [];
    const before = schemaText.slice(0, found.index).replace(hole, "");
    const after = schemaText.slice(found.index + found[0].length).replace(hole, "");
    return [
      {
        text: `${before}${statement}\n${after}`,
        start: before.length,
        end: before.length + statement.length,
      },
    ];
  });
}
