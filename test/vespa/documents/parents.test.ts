import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Command, command } from "../../command.js";

/** Fields that documents import from others: of a shop, and of the country that the shop is in. */
const schemas = {
  country: `schema country {
    document country {
      field tax type double { indexing: attribute }
    }
  }`,
  shop: `schema shop {
    document shop {
      field rating type double { indexing: attribute }
      field tags type weightedset<string> { indexing: attribute }
      field v type tensor<float>(x[2]) { indexing: attribute }
      field country type reference<country> { indexing: attribute }
    }
    import field country.tax as country_tax { }
  }`,
  product: `schema product {
    document product {
      field price type double { indexing: attribute }
      field shop type reference<shop> { indexing: attribute }
    }
    import field shop.rating as shop_rating { }
    import field shop.tags as shop_tags { }
    import field shop.v as shop_v { }
    import field shop.country_tax as tax { }
    rank-profile whole {
      inputs { query(q) tensor<float>(x[2]) }
      function net() { expression: attribute(price) * (1 + attribute(tax)) }
      first-phase {
        expression: net + attribute(shop_rating) + attribute(shop_tags,new).weight + sum(query(q) * attribute(shop_v))
      }
    }
  }`,
};
const country = { put: "id:s:country::no", fields: { tax: 0.25 } };
const shops = [
  {
    put: "id:s:shop::a",
    fields: { rating: 4, tags: { new: 3 }, v: [1, 2], country: "id:s:country::no" },
  },
  { put: "id:s:shop::b", fields: { rating: 2, tags: {}, v: [0, 1], country: "id:s:country::no" } },
];
const products = [
  { put: "id:s:product::1", fields: { price: 8, shop: "id:s:shop::a" } },
  { put: "id:s:product::2", fields: { price: 80, shop: "id:s:shop::b" } },
  { put: "id:s:product::3", fields: { price: 80, shop: "id:s:shop::gone" } },
];

function shop(files: Readonly<Record<string, unknown>> = {}): Command {
  const own = command();
  mkdirSync(join(own.folder, "schemas"));
  const lines = (list: readonly object[]): string => list.map((each) => JSON.stringify(each)).join("\n");
  const all = {
    ...Object.fromEntries(Object.entries(schemas).map(([name, text]) => [`schemas/${name}.sd`, text])),
    ...{ "parents.jsonl": lines([country, ...shops]), "country.json": country, "shops.jsonl": lines(shops) },
    ...{ "feed.jsonl": lines(products.slice(0, 2)), "gone.json": products[2], "one.json": products[0] },
    ...{ "query.json": { "input.query(q)": [10, 100] } },
    ...files,
  };
  for (const [name, data] of Object.entries(all))
    writeFileSync(join(own.folder, name), typeof data === "string" ? data : JSON.stringify(data));
  return own;
}

const asked = ["score", "--profile", "whole", "--query", "query.json"];

describe("imported fields", () => {
  test("are those of the parents, and of their parents", async () => {
    const args = [...asked, "--documents", "feed.jsonl", "--json", "--parents"];
    const { code, out, err } = await shop().run([...args, "parents.jsonl"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const scores = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    // 8 · 1.25 + 4 + 3 + 10 + 200, and 80 · 1.25 + 2 + 0 + 100
    expect(scores.map(({ id, score }) => [id, score])).toEqual([
      ["id:s:product::1", 227],
      ["id:s:product::2", 202],
    ]);
    const apart = await shop().run([...args, "shops.jsonl", "--parents", "country.json"]);
    expect(apart.out).toBe(out);
  });

  test("are those of parents in the same feed, which are no hits", async () => {
    const all = [...products.slice(0, 2), ...shops, country].map((each) => JSON.stringify(each)).join("\n");
    const raised = { update: "id:s:country::no", fields: { tax: { increment: 0.75 } } };
    const files = { "all.jsonl": all, "raised.jsonl": `${all}\n${JSON.stringify(raised)}` };
    const scored = async (...args: readonly string[]): Promise<unknown> => {
      const { code, out, err } = await shop(files).run([...asked, "--json", ...args]);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      return out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).score);
    };
    expect(await scored("--documents", "all.jsonl")).toEqual([227, 202]);
    // 8 · 2 + 4 + 3 + 10 + 200, and 80 · 2 + 2 + 0 + 100
    expect(await scored("--documents", "raised.jsonl")).toEqual([262, 233]);
    // A document of the parents that are named counts more.
    expect(await scored("--documents", "raised.jsonl", "--parents", "country.json")).toEqual([227, 202]);
  });

  test("are unset where the feed has other parents alone, which is told", async () => {
    const all = [products[2], ...shops, country].map((each) => JSON.stringify(each)).join("\n");
    const { code, out, err } = await shop({ "all.jsonl": all }).run([...asked, "--documents", "all.jsonl"]);
    expect(code).toBe(0);
    expect(out).toMatch(/-Infinity/);
    expect(err).toMatch(/^warning: there is no parent `id:s:shop::gone`: what is imported from it is unset/m);
  });

  test("are missing without the parents", async () => {
    const { code, out } = await shop().run([...asked, "--document", "one.json"]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^missing +attribute\(shop_rating\) .* it is imported from another document: feed that, too, or use --parents$/m,
    );
    expect(out).toMatch(/^ +attribute\(shop_v\) +tensor<float>\(x\[2\]\) /m);
  });

  test("are unset where the parent is not there, which is told", async () => {
    const { code, out, err } = await shop().run([
      ...asked,
      "--document",
      "gone.json",
      "--parents",
      "parents.jsonl",
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/^score +-Infinity$/m);
    expect(out).toMatch(/first-phase +NaN$/m);
    expect(err).toMatch(/^warning: there is no parent `id:s:shop::gone`: what is imported from it is unset/m);
  });

  test("have the members of their structs, by way of other parents and of what those inherit", async () => {
    const feed = [
      {
        put: "id:s:region::eu",
        fields: {
          cities: [
            { name: "Oslo", size: 7 },
            { name: "Bergen", size: 3 },
          ],
        },
      },
      { put: "id:s:stand::a", fields: { region: "id:s:region::eu" } },
      { put: "id:s:pear::1", fields: { stand: "id:s:stand::a" } },
    ];
    const own = shop({
      "schemas/base.sd": `schema base { document base {
        struct city { field name type string {} field size type int {} }
        field cities type array<city> { indexing: summary
          struct-field name { indexing: attribute }
          struct-field size { indexing: attribute } } } }`,
      "schemas/region.sd": `schema region inherits base { document region inherits base { } }`,
      "schemas/stand.sd": `schema stand {
        document stand { field region type reference<region> { indexing: attribute } }
        import field region.cities as towns { }
      }`,
      "schemas/pear.sd": `schema pear {
        document pear { field stand type reference<stand> { indexing: attribute } }
        import field stand.towns as places { }
        rank-profile whole { first-phase { expression {
          attribute(places.size,1) + 10 * attribute(places.name).count + sum(tensorFromStructs(attribute(places),name,size,float))
        } } }
      }`,
      "pears.jsonl": feed.map((each) => JSON.stringify(each)).join("\n"),
    });
    const { code, out, err } = await own.run([
      "score",
      "--profile",
      "pear.whole",
      "--documents",
      "pears.jsonl",
      "--json",
      ".",
    ]);
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({ id: "id:s:pear::1", score: 3 + 10 * 2 + 7 + 3 });
    expect(code).toBe(0);
  });

  test.each([
    "",
    null,
  ])("are unset where the reference is %j, of which nothing is told", async (reference) => {
    const document = { put: "id:s:product::4", fields: { price: 80, shop: reference } };
    const args = ["--document", "none.json", "--parents", "parents.jsonl"];
    const { code, out, err } = await shop({ "none.json": document }).run([...asked, ...args]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/first-phase +NaN$/m);
  });

  test("of tests may stand among the documents", async () => {
    const all = [...products.slice(0, 2), ...shops, country].map((each) => JSON.stringify(each)).join("\n");
    const file = `profile: product.whole
query: { query(q): [10, 100] }
documents: all.jsonl
expect:
  scores: { "id:s:product::1": 227, "id:s:product::2": 202 }
`;
    const files = { "imported.rank-test.yaml": file, "all.jsonl": all };
    const { code, out, err } = await shop(files).run(["test", "imported.rank-test.yaml"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^1 test passed$/m);
  });

  test("of tests stand beside the documents", async () => {
    const file = `profile: product.whole
query: { query(q): [10, 100] }
documents: feed.jsonl
parents: parents.jsonl
expect:
  scores: { "id:s:product::1": 227, "id:s:product::2": 202 }
`;
    const { code, out } = await shop({ "imported.rank-test.yaml": file }).run([
      "test",
      "imported.rank-test.yaml",
    ]);
    expect(out).toMatch(/^1 test passed$/m);
    expect(code).toBe(0);
  });
});
