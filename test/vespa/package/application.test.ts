import { describe, expect, test } from "vitest";
import { checkPackage, constantValue, type Profile, profileNamed } from "../../../src/vespa.js";
import { packageOf, schemaWith, type Texts } from "../../packages.js";

/** Application packages are read as Vespa writes them, and rank profiles get what they inherit. */

/** The profile of a package that must have no problems. */
function soundProfile(texts: Texts, name: string): Profile {
  const checked = checkPackage(packageOf(texts));
  expect(checked.problems.map((each) => `${each.code}: ${each.message}`)).toEqual([]);
  const found = profileNamed(checked, name);
  if (found === undefined) throw new Error(`there is no profile ${name}`);
  return found.profile;
}

const textOf = ({ source, start, end }: { source: { text: string }; start: number; end: number }): string =>
  source.text.slice(start, end);

describe("a schema", () => {
  const text = `# an { unbalanced brace, and an apostrophe: don't mind
schema doc {
  document doc {
    struct person { field name type string {} }
    field title type string { indexing: index | summary | "attribute }" }
    field many type array<string> {
      indexing { input many | for_each { trim } | index | attribute }
    }
    field people type array<person> { struct-field name { indexing: attribute } }
    field v type tensor<bfloat16>(chunk{}, x[4]) {
      indexing: attribute | index
      attribute { distance-metric: prenormalized-angular }
      index { hnsw { max-links-per-node: 16 } }
    }
    field short type int
  }
  field outside type string { indexing: input title | index
    index { enable-bm25 } }
  fieldset default { fields: title, many }
  document-summary s { summary title { source: title } }
  some-future-thing x { rank-profile no { first-phase { expression: ??? } } }
  constant old { file: constants/old.json
    type: tensor(x[2]) }
  onnx-model m { file: models/m.onnx
    input "in:0": f
    output out: score }
}`;
  const schema = packageOf({ "schemas/doc.sd": text }).schemas.get("doc");

  test("has its fields, wherever they are", () => {
    const fields = [...(schema?.fields.values() ?? [])];
    expect(fields.map((each) => [each.name.text, each.where, each.isAttribute, each.isIndex])).toEqual([
      ["title", "document", false, true],
      ["many", "document", true, true],
      ["people", "document", false, false],
      ["people.name", "document", true, false],
      ["v", "document", true, true],
      ["short", "document", false, false],
      ["outside", "outside", false, true],
    ]);
    expect(`${schema?.fields.get("v")?.tensorType}`).toBe("tensor<bfloat16>(chunk{},x[4])");
    expect(schema?.fields.get("v")?.distanceMetric).toBe("prenormalized-angular");
    expect(schema?.fields.get("outside")?.enablesBm25).toBe(true);
    expect(schema?.fields.get("short")?.typeText).toBe("int");
  });

  test("has its constants and models, and passes over what it does not know", () => {
    expect(schema?.constants.get("old")?.value).toMatchObject({ file: "constants/old.json" });
    expect(schema?.models.get("m")).toMatchObject({ file: "models/m.onnx" });
    expect([...(schema?.models.get("m")?.inputs ?? [])]).toEqual([["in:0", "f"]]);
    expect([...(schema?.profiles.keys() ?? [])]).toEqual([]);
  });

  test("knows the place of each thing", () => {
    const name = schema?.fields.get("v")?.name;
    expect(name && textOf(name.span)).toBe("v");
    expect(schema?.source.name).toBe("schemas/doc.sd");
  });
});

describe("a rank profile", () => {
  const text = schemaWith(`rank-profile one {
    num-threads-per-search: 2
    inputs {
      query(v) tensor<float>(x[3]): [1, 2,
        3]   # over two lines
      query(m) tensor(k{}): { a: 1, 'b c': 2.5 }
      q double: 0.5
      query( word ) string
      plain
    }
    constants {
      list tensor(x[2]): [4, 5]
      constant(inFile) tensor(x[2]): file:constants/c.json
      number: 3.5
      stated: tensor(k{}):{a:7}
    }
    function inline twice(a) { expression: a * 2 }
    macro old(a, b) {
      expression {
        if (a > b,   # a comment with { and }
          a, b)
      }
    }
    first-phase
    {
      keep-rank-count: 20
      rank-score-drop-limit: 0.1
      expression: twice(query(q)) + old(1, 2) + query(plain)
    }
    second-phase { expression { sum(query(v) * attribute(embedding)) } rerank-count: 7 }
    global-phase { expression: file:global.expression
      rerank-count: 5 }
    match-features: bm25(title) fieldMatch(title).proximity attribute( price ) firstPhase
    summary-features { twice(3)
      now }
    rank-properties {
      fieldMatch(title).maxOccurrences: 5
      "bm25(title).k1" : "1.5"
    }
  }`);
  const profile = soundProfile(
    {
      "schemas/doc.sd": text,
      "schemas/global.expression": "sum(list + inFile) + number\n",
      "constants/c.json": "[1, 2]",
    },
    "one",
  );

  test("has inputs with types and defaults", () => {
    const inputs = [...profile.inputs.values()].map((each) => [
      each.name,
      `${each.type}`,
      `${each.default ?? ""}`,
    ]);
    expect(inputs.slice(0, 3)).toEqual([
      ["query(v)", "tensor<float>(x[3])", "tensor<float>(x[3]):[1.0, 2.0, 3.0]"],
      ["query(m)", "tensor(k{})", "tensor(k{}):{a:1.0, 'b c':2.5}"],
      ["query(q)", "tensor()", "tensor():{0.5}"],
    ]);
    expect(inputs.slice(3).map(([name]) => name)).toEqual(["query(word)", "query(plain)"]);
    expect(profile.inputs.get("query(word)")?.isString).toBe(true);
    expect(profile.inputs.get("query(plain)")?.default).toBeUndefined();
  });

  test("has constants of every form", () => {
    const read = packageOf({ "schemas/doc.sd": text, "constants/c.json": "[1, 2]" });
    const values = [...profile.constants.values()].map((each) => [each.name, `${constantValue(each, read)}`]);
    expect(values).toEqual([
      ["list", "tensor(x[2]):[4.0, 5.0]"],
      ["inFile", "tensor(x[2]):[1.0, 2.0]"],
      ["number", "tensor():{3.5}"],
      ["stated", "tensor(k{}):{a:7.0}"],
    ]);
  });

  test("has functions, phases and features", () => {
    expect([...profile.functions.values()].map((each) => each.parameters.map(({ text }) => text))).toEqual([
      ["a"],
      ["a", "b"],
    ]);
    const { phases } = profile;
    expect(phases["first-phase"]).toMatchObject({ rerankCount: 20, scoreDropLimit: 0.1 });
    expect(phases["second-phase"]?.rerankCount).toBe(7);
    expect(phases["global-phase"]?.expression?.span.source.name).toBe("schemas/global.expression");
    expect(profile.features["match-features"]?.map((each) => each.name)).toEqual([
      "bm25(title)",
      "fieldMatch(title).proximity",
      "attribute(price)",
      "firstPhase",
    ]);
    expect(profile.features["summary-features"]?.map((each) => each.name)).toEqual(["twice(3)", "now"]);
    expect([...profile.properties.values()].map((each) => [each.key, each.value])).toEqual([
      ["fieldMatch(title).maxOccurrences", "5"],
      ["bm25(title).k1", "1.5"],
    ]);
  });
});

describe("a rank profile as few people write it", () => {
  const profile = soundProfile(
    {
      "schemas/doc.sd": schemaWith(`rank-profile base { }
  model odd inherits base, default
  { num-threads-per-search: 1 ignore-default-rank-features inputs { query(a) double query(b) tensor(x[2]): [1,
      2] query(c): 3 } constants {
    k: 1 j double: 2 } first-phase { keep-rank-count: 20 rank-score-drop-limit: 0.001 expression: query(a) }
    second-phase { rerank-count: 7 expression
      { file : second.expression } }
    function titlematch$(p) { expression: p } rank title { element-gap: 0 } rank-properties { }
    match-features: now attribute(price)
    match-features { nativeRank  # and more
    }
    rank-properties {
      bm25 ( title ) . k1 : 1.5
      "elementwise(bm25(field: title), x).b": "0.8"
    }
    sort-features: now
  }`),
      "schemas/second.expression": "titlematch$(firstPhase)",
    },
    "odd",
  );

  test("has statements that share a line", () => {
    expect(
      [...profile.inputs.values()].map((each) => [each.name, `${each.type}`, `${each.default}`]),
    ).toEqual([
      ["query(a)", "tensor()", "undefined"],
      ["query(b)", "tensor(x[2])", "tensor(x[2]):[1.0, 2.0]"],
      ["query(c)", "tensor()", "tensor():{3.0}"],
    ]);
    expect([...profile.constants.keys()]).toEqual(["k", "j"]);
    expect(profile.phases["first-phase"]).toMatchObject({ rerankCount: 20, scoreDropLimit: 0.001 });
    expect(profile.phases["second-phase"]?.rerankCount).toBe(7);
    expect(profile.phases["second-phase"]?.expression?.span.source.name).toBe("schemas/second.expression");
    expect([...profile.functions.keys()]).toEqual(["titlematch$"]);
  });

  test("has lists of features in parts, and properties with spaces", () => {
    expect(profile.features["match-features"]?.map((each) => each.name)).toEqual([
      "now",
      "attribute(price)",
      "nativeRank",
    ]);
    expect([...profile.properties.values()].map((each) => [each.key, each.value])).toEqual([
      ["bm25(title).k1", "1.5"],
      ["elementwise(bm25(field: title), x).b", "0.8"],
    ]);
  });

  test("does not go on with an expression in the next line, and says so", () => {
    const { problems } = packageOf({
      "schemas/doc.sd": schemaWith("rank-profile p { first-phase { expression: now\n+ bm25(title) } }"),
    });
    expect(problems.map(({ code, position, description }) => [code, position, description.expected])).toEqual(
      [
        [
          "syntax/unexpected",
          { line: 12, column: 1 },
          "`}`, or braces around an expression of several lines",
        ],
      ],
    );
  });
});

describe("inheritance", () => {
  const base = `schema base {
    document base { field price type double { indexing: attribute } }
    rank-profile root {
      inputs { query(a) tensor(x[2]) }
      constants { k: 1 }
      function f() { expression: 1 }
      function g() { expression: f + k }
      first-phase { keep-rank-count: 5
        expression: g }
      match-features: f
    }
  }`;
  const doc = `schema doc inherits base {
    document doc inherits base { }
    rank-profile left inherits root { function h() { expression: g * 2 } }
    rank-profile right { constants { j: 2 } }
  }`;
  const texts = {
    "schemas/base.sd": base,
    "schemas/doc.sd": doc,
    "schemas/doc/both.profile": `rank-profile both inherits left, right {
      function f() { expression: attribute(price) }
      first-phase { expression: h + sum(query(a)) }
      match-features inherits left { h }
    }`,
    "schemas/doc/deep/five.profile": "rank-profile five inherits both { second-phase { expression: h } }",
  };

  test("goes through schemas and files; nearer definitions replace farther ones", () => {
    const both = soundProfile(texts, "both");
    expect(both.lineage.map((each) => each.name.text)).toEqual(["both", "left", "root", "right"]);
    expect([...both.functions.keys()]).toEqual(["f", "h", "g"]);
    expect(both.functions.get("f")?.expression.span.source.name).toBe("schemas/doc/both.profile");
    expect(both.constants.get("j")?.span.source.name).toBe("schemas/doc.sd");
    expect(both.phases["first-phase"]?.rerankCount).toBe(5);
    expect(both.features["match-features"]?.map((each) => each.name)).toEqual(["h", "f"]);
    expect(both.fields.get("price")?.isAttribute).toBe(true);
    const five = soundProfile(texts, "five");
    expect(five.lineage.map((each) => each.name.text)).toEqual(["five", "both", "left", "root", "right"]);
    expect(Object.keys(five.phases).sort()).toEqual(["first-phase", "second-phase"]);
  });

  test("the features of a profile of the same name are those of the schema above", () => {
    const texts = {
      "schemas/base.sd": `schema base { document base { field i type int { indexing: attribute } }
        rank-profile common { match-features: attribute(i)
          summary-features: now
          first-phase { expression: 1 } } }`,
      "schemas/doc.sd": `schema doc inherits base { document doc inherits base { }
        rank-profile common inherits common { match-features inherits common { query(j) }
          summary-features inherits common { query(k) } }
        rank-profile below inherits common { match-features inherits common { query(l) } } }`,
    };
    const checked = checkPackage(packageOf(texts));
    const listed = (name: string, kind: "match-features" | "summary-features") =>
      checked.profiles
        .find(({ profile }) => profile.name === name && profile.schema.name.text === "doc")
        ?.profile.features[kind]?.map((each) => each.name);
    expect(listed("common", "match-features")).toEqual(["query(j)", "attribute(i)"]);
    expect(listed("common", "summary-features")).toEqual(["query(k)", "now"]);
    expect(listed("below", "match-features")).toEqual(["query(l)", "query(j)", "attribute(i)"]);
  });

  test("field sets are inherited with their schema, but for those that it has itself", () => {
    const fieldset = (text: string): string => `fieldset ${text}`;
    const base = `schema base { document base { field a type string { indexing: index } field b type string { indexing: index } }
      ${fieldset("default { fields: a, b }")}
      ${fieldset("other { fields: b }")}
    }`;
    const doc = `schema doc inherits base { document doc inherits base { }
      ${fieldset("other { fields: a }")}
      rank-profile p { first-phase { expression: 1 } }
    }`;
    const { fieldsets } = soundProfile({ "schemas/base.sd": base, "schemas/doc.sd": doc }, "p");
    expect(Object.fromEntries(fieldsets)).toEqual({ default: ["a", "b"], other: ["a"] });
  });

  test("an imported field is what it refers to", () => {
    const profile = soundProfile(
      {
        "schemas/shop.sd":
          "schema shop { document shop { field v type tensor(x[2]) { indexing: attribute } } }",
        "schemas/doc.sd": `schema doc { document doc { field ref type reference<shop> { indexing: attribute } }
          import field ref.v as shop_v {}
          rank-profile p { first-phase { expression: sum(attribute(shop_v), x) } } }`,
      },
      "p",
    );
    expect(`${profile.fields.get("shop_v")?.tensorType}`).toBe("tensor(x[2])");
  });

  test("a type of query profiles declares inputs too", () => {
    const profile = soundProfile(
      {
        "schemas/doc.sd": schemaWith("rank-profile p { first-phase { expression: sum(query(w), k) } }"),
        "search/query-profiles/types/root.xml": `<query-profile-type id="root">
          <field name="ranking.features.query(w)" type="tensor&lt;float&gt;(k{})" />
          <field name="other" type="string" /></query-profile-type>`,
      },
      "p",
    );
    expect(`${profile.inputs.get("query(w)")?.type}`).toBe("tensor<float>(k{})");
  });
});

test("a schema that lies alone has its profiles and query profiles beside it; packages may have folders in folders", () => {
  const schema = "schema doc { document doc { } }";
  const profile = "rank-profile one { first-phase { expression: 1 } }";
  const query = '<query-profile id="default"><field name="hits">3</field></query-profile>';
  const alone = packageOf(
    {
      "doc.sd": schema,
      "doc/one.profile": profile,
      "query-profiles/default.xml": query,
      "services.xml": "<none",
    },
    { schemas: ["doc.sd"] },
  );
  expect(alone.problems).toEqual([]);
  expect([...(alone.schemas.get("doc")?.profiles.keys() ?? [])]).toEqual(["one"]);
  expect([...alone.queryProfiles.keys()]).toEqual(["default"]);
  const deep = packageOf({
    "schemas/shop/doc.sd": schema,
    "schemas/shop/doc/a/one.profile": profile,
    "schemas/doc/two.profile": profile.replace("one", "two"),
  });
  expect([...(deep.schemas.get("doc")?.profiles.keys() ?? [])]).toEqual(["one", "two"]);
});

test("a function that is never called may have the name of a field as a parameter", () => {
  const found = (functions: string): string[] => {
    const texts = { "schemas/doc.sd": schemaWith(`rank-profile p { ${functions} }`) };
    return checkPackage(packageOf(texts)).problems.map(({ code }) => code);
  };
  expect(found("function f(a) { expression: bm25(a) + fieldMatch(a).head + query(a) }")).toEqual([]);
  expect(found("function f(a) { expression: attribute(a) + attribute(prise) }")).toEqual(["feature/field"]);
});

test("functions that call the one before twice, beside functions of their parameter, are expanded once each", () => {
  const functions = Array.from(
    { length: 40 },
    (_, at) => `function g${at + 1}(x) { expression: max(x, 0) + g${at}(x * 2) * g${at}(x * 2) }`,
  );
  const phase = "first-phase { expression: g40(attribute(price)) }";
  const body = ["function g0(x) { expression: x }", ...functions, phase].join("\n");
  soundProfile({ "schemas/doc.sd": schemaWith(`rank-profile p {\n${body}\n}`) }, "p");
});
