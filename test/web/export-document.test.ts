import { describe, expect, test } from "vitest";
import { compile, evaluate, parseType, renderSvg, SphexError, Tensor } from "../../src/index.js";
import { checkPackage, isPassed, RankTestRunner, readPackage, readRankTests } from "../../src/vespa.js";
import { documentOf, type NewCell, type PageDocument, viewOf } from "../../src/web/document/page-document.js";
import { storedDocument, storedText } from "../../src/web/document/storage.js";
import type { CellResults } from "../../src/web/share/cell-results.js";
import { exported } from "../../src/web/share/export.js";
import type { ExportRequest } from "../../src/web/share/export-request.js";
import { programText } from "../../src/web/share/vespa-cells.js";
import { picture, pictureFile } from "../../src/web/worker/pictures.js";

/** Documents of the page as files. */
const cell = (name: string, text: string, views = {}): NewCell => ({ kind: "expression", name, text, views });
const document = documentOf([
  { kind: "remark", text: "# Scores\n\nOf <b>documents</b>." },
  cell("query(q)", "tensor(x[2]):[1, 2]"),
  cell("attribute(d)", "tensor(x[2]):[3, 4]"),
  cell("constant(w)", "tensor(x[2]):[0.5, 1]"),
  cell("weighted", "query(q) * attribute(d) * constant(w)", { "": { kind: "bars" } }),
  cell("", "sum(weighted)"),
]);

const tensors: ReadonlyMap<string, Tensor> = new Map([
  ["query(q)", evaluate("tensor(x[2]):[1, 2]")],
  ["attribute(d)", evaluate("tensor(x[2]):[3, 4]")],
  ["constant(w)", evaluate("tensor(x[2]):[0.5, 1]")],
  ["weighted", evaluate("tensor(x[2]):[1.5, 8]")],
  ["", evaluate("9.5")],
]);

const resultsOf =
  ({ cells }: PageDocument, values = tensors): CellResults =>
  (id) => {
    const found = cells.find((each) => each.id === id);
    const tensor = found?.kind === "expression" ? values.get(found.name) : undefined;
    return tensor === undefined
      ? []
      : [{ key: "", tensor, isLiteral: found?.text.startsWith("tensor") === true }];
  };

const textOf = (form: ExportRequest["form"], of = document): string => {
  const { content } = exported({ document: of, form }, resultsOf(of), pictureFile);
  return typeof content === "string" ? content : "";
};

describe("a document", () => {
  test("as a program has the same values", () => {
    const text = textOf("sphex");
    expect(text).toBe(programText(document.cells));
    expect(compile(text).run().asNumber()).toBe(9.5);
  });

  test("in Markdown: remarks, code, and the values that the code does not show", () => {
    expect(textOf("markdown")).toBe(`# Scores

Of <b>documents</b>.

\`\`\`sphex
query(q) = tensor(x[2]):[1, 2]
\`\`\`

\`\`\`sphex
attribute(d) = tensor(x[2]):[3, 4]
\`\`\`

\`\`\`sphex
constant(w) = tensor(x[2]):[0.5, 1]
\`\`\`

\`\`\`sphex
weighted = query(q) * attribute(d) * constant(w)
\`\`\`

\`tensor(x[2])\`

| x   | value |
| --- | ----: |
| 0   |   1.5 |
| 1   |   8.0 |

\`\`\`sphex
sum(weighted)
\`\`\`

\`tensor()\` → **9.5**
`);
  });

  test("code with fences of its own stays code", () => {
    const of = documentOf([cell("", "1 # ```\n+ 2")]);
    expect(textOf("markdown", of)).toContain("````sphex\n1 # ```\n+ 2\n````");
  });

  test("in HTML: the policy forbids all scripts, and texts are escaped", () => {
    const attack = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
    const of = documentOf([{ kind: "remark", text: `# ${attack}` }, cell(attack, attack)]);
    const html = textOf("html", of);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
    expect(html).not.toMatch(/<img|<script|onerror=alert\(1\)>/);
    expect(html).toContain("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;");
  });

  test("in HTML: labels that attack are escaped, in tables and pictures", () => {
    const tensor = evaluate(`tensor(k{}):{"<script>alert(1)</script>":1, "\\" onload=\\"alert(2)":2}`);
    for (const kind of ["list", "bars"]) {
      const of = documentOf([cell("a", "b", { "": { kind } })]);
      const { content } = exported(
        { document: of, form: "html" },
        resultsOf(of, new Map([["a", tensor]])),
        pictureFile,
      );
      expect(`${content}`).not.toMatch(/<script|" onload="/);
      expect(`${content}`).toContain("&lt;script");
    }
  });

  test.each([
    ["tensor(x[2]):[1, 2]", "tensor(x[2])", "[1, 2]"],
    ["tensor(k{},x[2]):{a:[1, 2]}", "tensor(k{},x[2])", "k\\x"],
    ["tensor(i[1001])(i)", "tensor(i[1001])", "[0.0, 1.0, "],
    [
      `tensor(${"abcdefghij".repeat(4)}{},${"klmnopqrst".repeat(4)}{},${"uvwxyz".repeat(6)}{}):{}`,
      "",
      "no cells",
    ],
    ["1 + 1", "tensor()", "2.0"],
  ])("in HTML: the type of %s stands there once", (text, type, value) => {
    const of = documentOf([cell("a", text)]);
    const tensor = evaluate(text);
    const results: CellResults = () => [{ key: "", tensor, isLiteral: false }];
    const { content } = exported({ document: of, form: "html" }, results, pictureFile);
    const [, html = ""] = `${content}`.split("</pre>");
    expect(html).toContain(`<p class="type">${type === "" ? tensor.type : type}</p>`);
    expect(html.slice(html.indexOf("<pre"))).not.toContain("tensor");
    expect(html).toContain(`<pre class="value">${value}`);
  });

  test("in HTML: remarks are those that were rendered before, and views are pictures", () => {
    const remarks = { 1: "<h1>Scores</h1>" };
    const { content } = exported({ document, form: "html", remarks }, resultsOf(document), pictureFile);
    expect(content).toContain("<title>Scores</title>");
    expect(content).toContain('<section class="remark"><h1>Scores</h1></section>');
    expect(content).toContain("<figure><svg");
    expect(content).toContain("weighted = query(q) * attribute(d) * constant(w)");
  });

  test("as data", () => {
    const { cells } = JSON.parse(textOf("json"));
    expect(cells[0]).toEqual({ kind: "remark", text: "# Scores\n\nOf <b>documents</b>." });
    expect(cells[4]).toMatchObject({ name: "weighted", values: [{ type: "tensor(x[2])" }] });
    expect(cells[5]).toMatchObject({ text: "sum(weighted)" });
  });

  test("as data that is the same document when it is opened", () => {
    expect(storedDocument(textOf("json"))).toEqual(storedDocument(storedText(document)));
  });

  test("as a schema, whose profile passes the rank test of the same document", async () => {
    const schema = textOf("profile");
    const read = readPackage({
      list: (folder) => (folder === "schemas" ? ["schemas/page.sd"] : []),
      read: () => schema,
    });
    expect(read.problems).toEqual([]);
    const checked = checkPackage(read);
    expect(checked.problems.filter(({ isError }) => isError)).toEqual([]);
    expect(schema).toContain("query(q) tensor(x[2])");
    expect(schema).toContain("field d type tensor(x[2])");
    const source = { name: "page.rank-test.yaml", text: textOf("rank-test") };
    const { file, problems } = await readRankTests(source, () => source);
    expect(problems).toEqual([]);
    const runner = new RankTestRunner(read, checked);
    const results = await Promise.all((file?.tests ?? []).map((each) => runner.run(each)));
    expect(results).toHaveLength(1);
    for (const result of results) {
      expect(result.problems).toEqual([]);
      expect(result.differences).toEqual([]);
      expect(isPassed(result)).toBe(true);
    }
  });

  test("as a rank test has each name once, with its last value", async () => {
    const of = documentOf([cell("a", "1"), cell("a", "2"), cell("query(q)", "3"), cell("query(q)", "4")]);
    const results: CellResults = (id) => [{ key: "", tensor: evaluate(`${id}`), isLiteral: true }];
    const { content } = exported({ document: of, form: "rank-test" }, results, pictureFile);
    const source = { name: "page.rank-test.yaml", text: `${content}` };
    expect((await readRankTests(source, () => source)).problems).toEqual([]);
    expect(source.text).toContain('query:\n  "input.query(q)": 4\n');
    expect(source.text).toContain('expect:\n      "a": 2\n');
  });

  test("as a schema has the functions of cells with comments", () => {
    const of = documentOf([cell("a", "2 # two"), cell("b", "a * # three\n  3")]);
    expect(textOf("profile", of)).toMatch(/function a\(\)[^}]*2[^}]*\}\s*function b\(\)/);
  });

  test("as a rank test of a program, which expects its named values", () => {
    const of = documentOf([{ kind: "program", text: "a = 2\nb = a * 3\nb + 1", views: {} }]);
    const values = ["a", "b", "1"].map((key, at) => ({
      key,
      tensor: evaluate(`${[2, 6, 7][at]}`),
      isLiteral: false,
    }));
    const { content } = exported({ document: of, form: "rank-test" }, () => values, pictureFile);
    expect(`${content}`).toContain('expect:\n      "a": 2\n      "b": 6\n');
  });

  test("as a rank test, names that mean something else there are those of functions, and pass", async () => {
    const of = documentOf([
      cell("score", "1 + 1"),
      cell("scores", "score * 3"),
      cell("ranking", "scores + 1"),
      cell("firstPhase", "ranking * 2"),
      cell("tensor", "firstPhase + 1"),
      cell("query(q)", "-0"),
      cell("attribute(n)", "-0"),
      cell("inverse", "1 / query(q) + 1 / attribute(n)"),
    ]);
    const values = new Map([
      ["score", evaluate("2")],
      ["scores", evaluate("6")],
      ["ranking", evaluate("7")],
      ["firstPhase", evaluate("14")],
      ["tensor", evaluate("15")],
      ["query(q)", evaluate("-0")],
      ["attribute(n)", evaluate("-0")],
      ["inverse", evaluate("-1 / 0")],
    ]);
    const results = resultsOf(of, values);
    const text = `${exported({ document: of, form: "rank-test" }, results, pictureFile).content}`;
    const schema = `${exported({ document: of, form: "profile" }, results, pictureFile).content}`;
    const read = readPackage({ list: () => ["schemas/page.sd"], read: () => schema });
    const { file, problems } = await readRankTests({ name: "page.rank-test.yaml", text }, () => {
      throw new Error("no other file is read");
    });
    expect(problems).toEqual([]);
    const [test] = file?.tests ?? [];
    if (test === undefined) throw new Error("there is a test");
    expect(test.expected).toHaveLength(6);
    const result = await new RankTestRunner(read, checkPackage(read)).run(test);
    expect(result.problems).toEqual([]);
    expect(result.differences).toEqual([]);
  });

  test("as a rank test wants named values", () => {
    const of = documentOf([cell("", "1 + 1")]);
    expect(() => textOf("rank-test", of)).toThrow("expects named values");
  });

  test("as HTML shows the slice that a view has", () => {
    const views = { "": { kind: "heat" as const, slices: { y: "1" }, columns: ["x"], rows: ["z"] } };
    const of = documentOf([cell("cube", "tensor(x[2],y[2],z[2])(4*x+2*y+z)", views)]);
    const [tensor, slice] = ["tensor(x[2],y[2],z[2])(4*x+2*y+z)", "tensor(x[2],z[2])(4*x+2+z)"].map((each) =>
      evaluate(each),
    );
    if (tensor === undefined || slice === undefined) throw new Error("both have values");
    const results: CellResults = () => [{ key: "", tensor, isLiteral: false }];
    const drawn = (svg: string): readonly string[] => svg.match(/<rect [^>]*>/g) ?? [];
    const html = `${exported({ document: of, form: "html" }, results, pictureFile).content}`;
    expect(drawn(html)).toHaveLength(drawn(renderSvg(slice, { kind: "heat" })).length);
    expect(html).toContain("<figure><svg");
  });

  test("a picture of a value shows what its view does", () => {
    const views = { "": { kind: "bars", slices: { y: "1" }, columns: ["x"], rows: [] } };
    const of = documentOf([cell("cube", "tensor(x[2],y[2],z[2])(4*x+2*y+z)", views)]);
    const results: CellResults = () => [
      { key: "", tensor: evaluate("tensor(x[2],y[2],z[2])(4*x+2*y+z)"), isLiteral: false },
    ];
    const { content } = exported(
      { document: of, form: "svg", value: { id: 1, key: "" } },
      results,
      pictureFile,
    );
    expect(`${content}`).toContain("cube, y:1, z:0");
    const plain = documentOf([cell("cube", "tensor(x[2],y[2],z[2])(4*x+2*y+z)")]);
    const { content: heat } = exported(
      { document: plain, form: "svg", value: { id: 1, key: "" } },
      results,
      pictureFile,
    );
    expect(`${heat}`).toContain("<svg");
  });

  test("a picture shows the hidden characters of the labels that it leaves out", () => {
    const tensor = evaluate('tensor(k{},x[2],y[2]):{"a\u202eb":[[1,2],[3,4]]}');
    const view = { kind: "heat", slices: {}, rows: ["x"], columns: ["y"] } as const;
    expect(pictureFile(tensor, view, "cube")).not.toContain("\u202e");
    expect(picture(tensor, "heat", view, 300)).toMatchObject({ caption: 'k:"a\\u202eb"' });
  });

  test("a rank test of other values fails", async () => {
    const text = textOf("rank-test").replace("8", "7");
    const schema = textOf("profile");
    const read = readPackage({ list: () => ["schemas/page.sd"], read: () => schema });
    const source = { name: "page.rank-test.yaml", text };
    const { file } = await readRankTests(source, () => source);
    const [result] = await Promise.all(
      (file?.tests ?? []).map((each) => new RankTestRunner(read, checkPackage(read)).run(each)),
    );
    expect(result?.differences).toHaveLength(1);
  });

  test("what Vespa cannot have is a problem", () => {
    const of = documentOf([cell("bm25(title)", "2"), cell("", "bm25(title) * 2")]);
    expect(() => textOf("profile", of)).toThrow(SphexError);
  });
});

describe("a value", () => {
  const value = { id: 5, key: "" };
  // biome-ignore format: a table
  test.each([
    { form: "csv",        name: "weighted.csv",  starts: "x,value\n0,1.5\n1,8.0" },
    { form: "literal",    name: "weighted.txt",  starts: "tensor(x[2]):[1.5, 8.0]\n" },
    { form: "value-json", name: "weighted.json", starts: "{" },
    { form: "svg",        name: "weighted.svg",  starts: "<svg" },
  ] as const)("as $form", ({ form, name, starts }) => {
    const file = exported({ document, form, value }, resultsOf(document), pictureFile);
    expect(file.name).toBe(name);
    expect(`${file.content}`.slice(0, starts.length)).toBe(starts);
  });

  test("as .npy", () => {
    const { content } = exported({ document, form: "npy", value }, resultsOf(document), pictureFile);
    expect(content instanceof Uint8Array && new TextDecoder("latin1").decode(content.slice(1, 6))).toBe(
      "NUMPY",
    );
  });

  test("a name is one that every system takes", () => {
    const of = documentOf([cell('../a/"b" <c>', "1")]);
    const results = resultsOf(of, new Map([['../a/"b" <c>', evaluate("1")]]));
    expect(
      exported({ document: of, form: "literal", value: { id: 1, key: "" } }, results, pictureFile).name,
    ).toBe("a-b-c.txt");
  });
});

test("a picture of a part is there whatever its labels are", () => {
  for (const label of ["\b", "\u2028", '"', "\\", "\n", "a b"]) {
    const tensor = Tensor.from(
      parseType("tensor(k{},x[2])"),
      new Map([
        [label, [1, 2]],
        ["z", [3, 4]],
      ]),
    );
    const found = picture(
      tensor,
      "line",
      { kind: "line", rows: [], columns: ["x"], slices: { k: label } },
      300,
    );
    expect(found?.slice, JSON.stringify(label)).toEqual({ k: label });
  }
});

test("values may have the names of what every object has", () => {
  for (const name of ["constructor", "toString", "__proto__"]) {
    expect(viewOf({}, name)).toEqual({});
  }
});
