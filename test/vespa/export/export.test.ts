import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { compile } from "../../../src/index.js";
import { command } from "../../command.js";
import { patient } from "../../patience.js";

/** A program as an application package: it is sound, and its rank profile has the values of the program. */
const { run, folder } = command();

beforeAll(() => {
  writeFileSync(
    join(folder, "my rank.sphex"),
    [
      "input query(q): tensor<float>(x[3])",
      "input attribute(e): tensor<float>(chunk{},x[3])",
      "input attribute(boost): tensor()",
      "constant w: tensor(x[3]) = tensor(x[3]):[1,2,3]",
      "best = reduce(sum(query(q) * attribute(e) * w, x), max, chunk)",
      "best * attribute(boost)",
    ].join("\n"),
  );
  writeFileSync(
    join(folder, "document.json"),
    JSON.stringify({ fields: { e: { blocks: { a: [1, 2, 3], b: [3, 2, 1] } }, boost: 2 } }),
  );
  writeFileSync(join(folder, "query.json"), JSON.stringify({ "input.query(q)": [1, 0.5, 2] }));
});

test("the package is sound, and scores as the program computes", patient, async () => {
  const { code, err, out } = await run(["export", "vespa", "my rank.sphex", "--out", "app"]);
  expect([code, err, out]).toEqual([0, "", "app/schemas/my_rank.sd\napp/services.xml\n"]);
  const { out: json } = await run(["export", "vespa", "my rank.sphex", "--out", "other", "--json"]);
  expect(json).toBe('{"files":["other/schemas/my_rank.sd","other/services.xml"]}\n');
  expect((await run(["check", "app"])).err).toContain("0 errors, 0 warnings");
  const scored = await run(["score", "app", "--document", "document.json", "--query", "query.json"]);
  expect(scored.err).toBe("");
  // b: 1*3*1 + 0.5*2*2 + 2*1*3 = 11; a: 1*1*1 + 0.5*2*2 + 2*3*3 = 21; twice the larger.
  expect(scored.out).toContain("42.0");
});

test("defaults of inputs are those of the profile", patient, async () => {
  const text = `input query(q): tensor<float>(x[2]) = tensor<float>(x[2]):[3, 4]
input query(n) = 2 * 3.5
input query(k): tensor(k{}) = tensor(k{}):{a:1, '1e5':2}
sum(query(q)) + query(n) * sum(query(k))`;
  writeFileSync(join(folder, "defaults.sphex"), text);
  writeFileSync(join(folder, "empty.json"), JSON.stringify({ fields: {} }));
  expect(await run(["export", "vespa", "defaults.sphex", "--out", "own"])).toMatchObject({
    code: 0,
    err: "",
  });
  expect((await run(["check", "own"])).err).toContain("0 errors, 0 warnings");
  const scored = await run(["score", "own", "--document", "empty.json"]);
  // 3 + 4 + 7 * (1 + 2)
  expect([scored.err, scored.out]).toEqual(["", expect.stringContaining("28.0")]);
});

test("what content nodes do not know is written in a form that they know", patient, async () => {
  const text = `input query(n): tensor()
input query(v): tensor<float>(x[5])
weighed = sum((round(query(v)) + 10 * abs(query(v)) + 100 * sign(query(v)) + 1000 * square(query(v))) * tensor(x[5])(x + 1))
taken = sum(tensor(i[2])(query(v)[i]))
chosen = reduce(if(query(n) > 1, query(v), tensor(x[5]):[1,2,3,4,5]), min)
round(query(n)) + 10 * abs(query(n)) + 100 * sign(query(n)) + 1000 * square(query(n)) + weighed + taken + chosen`;
  writeFileSync(join(folder, "forms.sphex"), text);
  const values = { "input.query(n)": -2.5, "input.query(v)": [-2.5, -0.25, 0, 0.5, 7.75] };
  writeFileSync(join(folder, "forms.json"), JSON.stringify(values));
  writeFileSync(join(folder, "none.json"), JSON.stringify({ fields: {} }));
  expect(await run(["export", "vespa", "forms.sphex", "--out", "forms"])).toMatchObject({ code: 0, err: "" });
  expect((await run(["check", "forms"])).err).toContain("0 errors, 0 warnings");
  const scored = await run(["score", "forms", "--document", "none.json", "--query", "forms.json", "--json"]);
  // Of n: -2 + 25 - 100 + 6250. Of v, by cells: -2 + 25 - 100 + 6250; 2 * (0 + 2.5 - 100 + 62.5); 3 * 100; 4 * (1 + 5 + 100 + 250);
  // 5 * (8 + 77.5 + 100 + 60062.5). The first two cells are -2.75 together, and the least of 1 to 5 is 1.
  const [n, v] = [6173, 6173 + 2 * -35 + 300 + 4 * 356 + 5 * 60248];
  expect(JSON.parse(scored.out).score).toBe(n + v - 2.75 + 1);
});

test.each([
  ["of a field", "input attribute(a) = 1\nattribute(a)", "attribute(a)"],
  [
    "that depends on another input",
    "input query(a) = 1\ninput query(b) = query(a) + 1\nquery(b)",
    "query(b)",
  ],
  ["of chance", "input query(a) = random(i[1]){i:0}\nquery(a)", "query(a)"],
  ["with an exponent", "input query(a) = 1e300\nquery(a)", "query(a)"],
  ["that is not finite", "input query(a) = 1 / 0\nquery(a)", "query(a)"],
])("a default %s is refused", patient, async (_, text, name) => {
  writeFileSync(join(folder, "refused.sphex"), text);
  const { code, err } = await run(["export", "vespa", "refused.sphex", "--out", "refused"]);
  expect([code, err]).toEqual([1, expect.stringContaining(`a schema cannot have the default of ${name}`)]);
});

test("what a rank profile has no place for is refused, and nothing is written", patient, async () => {
  writeFileSync(join(folder, "bare.sphex"), "input w: tensor(x[3])\nsum(w)\n");
  const refused = await run(["export", "vespa", "bare.sphex", "--out", "bare"]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("export/input")]);
  writeFileSync(join(folder, "half.sphex"), "sum(tensor<half>(x[3])(x))\n");
  expect((await run(["export", "vespa", "half.sphex", "--out", "half"])).code).toBe(1);
  mkdirSync(join(folder, "there"));
  expect((await run(["export", "vespa", "bare.sphex", "--out", "there"])).code).toBe(2);
  expect(() => readFileSync(join(folder, "bare", "services.xml"))).toThrow();
});

// biome-ignore format: a table
const deployed = [
  { text: "query(a) / 60 / 60",                        written: "(query(a) / 60) / 60" },
  { text: "query(a) / 2 * query(a) / 3",               written: "query(a) / 2 * query(a) / 3" },
  { text: "query(a) - 1 + 2 - 3",                      written: "(query(a) - 1) + 2 - 3" },
  { text: "query(a) + 1 + 2 * 3 - 4",                  written: "query(a) + 1 + 2 * 3 - 4" },
  { text: "query(a) && 5",                             written: "(query(a) && 5) != 0" },
  { text: "tensor(x[2])(x || query(a))",               written: "tensor(x[2])((x || query(a)) != 0)" },
  { text: "map(query(t), f(c)(c && 0 * c))",           written: "map(query(t), f(a)(a && 0 * a))" },
  { text: "0 * query(a)",                              written: "join(0, query(a), f(a,b)(a * b))" },
  { text: "0 / query(a)",                              written: "join(0, query(a), f(a,b)(a / b))" },
  { text: "query(a) / 0",                              written: "query(a) / 0" },
  { text: "0 * 5 + query(a)",                          written: "0 * 5 + query(a)" },
  { text: "(3 > 2) * 0 * (1 / 0)",                     written: "join((3 > 2) * 0, join(1, 0, f(a,b)(a / b)), f(a,b)(a * b))" },
  { text: "min(query(a), 1e400)",                      written: "min(query(a), join(1, 0, f(a,b)(a / b)))" },
  { text: "query(a) * 1e308 * 10",                     written: "(query(a) * 1e308) * 10" },
  { text: "query(a) * 1e150 * 1e150 * 1e150",          written: "(query(a) * 1e150 * 1e150) * 1e150" },
  { text: "query(a) * 1e-200 * 1e-200 * 3",            written: "(query(a) * 1e-200) * 1e-200 * 3" },
  { text: "query(a) * -0.0 + 1e308 + 1e308",           written: "(join(query(a), -0.0, f(a,b)(a * b)) + 1e308) + 1e308" },
  { text: "query(a) - 1e308 * 10",                     written: "query(a) - join(1e308, 10, f(a,b)(a * b))" },
  { text: "-1 / 0 * query(a)",                         written: "join(-1, 0, f(a,b)(a / b)) * query(a)" },
  { text: "map(query(t), f(c)(c + 1 / 0))",            written: "map(query(t), f(a)(a + 1 / 0))" },
  { text: "(query(s){x:0}){y:query(a)}",               written: "query(s){x:0, y:query(a)}" },
  { text: "(if(1 > 0, query(s){x:0}, query(t))){y:1}", written: "query(s){x:0, y:1}" },
  { text: "-(-query(a))",                              written: "query(a)" },
  { text: "!(!query(a))",                              written: "query(a) != 0" },
  { text: "-(!query(a))",                              written: "-1 * !query(a)" },
  { text: "!(-query(a))",                              written: "!(-query(a))" },
  { text: 'tensor(k{}):{"1.0":1,"1e5":2,7:query(a)}',  written: 'tensor(k{}):{{k:"1.0"}:1, {k:"1e5"}:2, {k:7}:query(a)}' },
];

test.each(deployed)("$text is deployed as $written", ({ text, written }) => {
  const inputs = { "query(a)": "tensor()", "query(t)": "tensor(y[2])", "query(s)": "tensor(x[2],y[2])" };
  const program = compile(text, { dialect: "vespa", inputs });
  expect(program.primitive({ deployed: true })).toBe(written);
});

test("the sign of a default's zero is kept", patient, async () => {
  writeFileSync(join(folder, "zero.sphex"), "input query(q) = -0\nmax(1 / query(q), -5)\n");
  writeFileSync(join(folder, "nothing.json"), JSON.stringify({ fields: {} }));
  expect((await run(["export", "vespa", "zero.sphex", "--out", "zero"])).code).toBe(0);
  const { out } = await run(["score", "zero", "--document", "nothing.json", "--json"]);
  expect(JSON.parse(out)).toMatchObject({ score: -5 });
});

test("tensors that outlast a run are refused, each with its name", patient, async () => {
  const text = "variable bias = 3\npersistent count = 0\nassign count = count + 1\nbias * count\n";
  writeFileSync(join(folder, "state.sphex"), text);
  const { code, err } = await run(["export", "vespa", "state.sphex", "--out", "state"]);
  expect(code).toBe(1);
  expect(err).toContain("a rank profile cannot have the variable bias");
  expect(err).toContain("a rank profile cannot have the persistent count");
});

test(
  "values that are called as phases are, or as a type, have other names in the profile",
  patient,
  async () => {
    const text =
      "input attribute(b): tensor()\nfirstPhase = attribute(b) + 1\nfirstPhase_2 = firstPhase * 2\nrelevanceScore = 3\nsum = relevanceScore\ntensor = firstPhase_2 + sum\ntensor\n";
    writeFileSync(join(folder, "phases.sphex"), text);
    writeFileSync(join(folder, "five.json"), JSON.stringify({ fields: { b: 5 } }));
    expect((await run(["export", "vespa", "phases.sphex", "--out", "phases"])).code).toBe(0);
    expect((await run(["check", "phases"])).err).toContain("0 errors, 0 warnings");
    const scored = await run(["score", "phases", "--document", "five.json", "--json"]);
    expect(JSON.parse(scored.out)).toMatchObject({
      score: 15,
      functions: { firstPhase_3: 6, firstPhase_2: 12, sum_2: 3, tensor_2: 15 },
    });
  },
);
