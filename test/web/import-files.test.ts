import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { compile, evaluate, writeNpz, writeTensor } from "../../src/index.js";
import { documentOf } from "../../src/web/document/page-document.js";
import { storedText } from "../../src/web/document/storage.js";
import { exported } from "../../src/web/share/export.js";
import { imported } from "../../src/web/share/import.js";
import { layer, raw } from "../models/onnx/write-model.js";

/** Files that are dropped on the page. */
const file = (name: string, content: string | Uint8Array) => ({
  name,
  bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
});
const example = (path: string) =>
  file(path, readFileSync(new URL(`../../examples/rank-profiles/${path}`, import.meta.url)));
const tensor = evaluate("tensor(x[2],k{}):{a:[1,2],b:[3,4]}");
const dense = evaluate("tensor(x[2],y[2]):[[1,2],[3,4.5]]");

async function cellOf(name: string, content: string | Uint8Array) {
  const { cells, faults } = await imported([file(name, content)]);
  expect(faults).toEqual([]);
  const [cell] = cells;
  return cell?.kind === "expression" ? { name: cell.name, value: evaluate(cell.text) } : undefined;
}

describe("files become", () => {
  test("a program that the page saves keeps its dialect, and its text", async () => {
    for (const dialect of ["formalism", "vespa"] as const) {
      const text = "a = max(1, 0 / 0)\n";
      const saved = documentOf([{ kind: "program", text }], { mode: "program", dialect });
      const { content } = exported(
        { document: saved, form: "sphex" },
        () => [],
        () => "",
      );
      const { document } = await imported([file("page.sphex", `${content}`)]);
      expect([document?.dialect, document?.cells.map((cell) => cell.text)]).toEqual([dialect, [text]]);
      const windows = await imported([file("page.sphex", `${content}`.replaceAll("\n", "\r\n"))]);
      expect(windows.document?.dialect).toBe(dialect);
      expect(windows.document?.cells[0]?.text).not.toContain("In dialect");
    }
  });

  test("a program", async () => {
    const { document } = await imported([file("a.sphex", "a = 1\na + 1\n")]);
    expect(document?.mode).toBe("program");
    expect(document?.cells.map(({ text }) => text)).toEqual(["a = 1\na + 1\n"]);
  });

  test("a document of ours, and one of the playground", async () => {
    const own = documentOf([{ kind: "remark", text: "# A" }], { dialect: "vespa" });
    expect((await imported([file("a.json", storedText(own))])).document).toEqual(own);
    const setup = '{"f":[{"op":"c","p":{"t":"A"}},{"op":"e","p":{"n":"b","e":"2"}}]}';
    const { document } = await imported([file("a.json", setup)]);
    expect(document?.cells.map(({ kind, text }) => [kind, text])).toEqual([
      ["remark", "A"],
      ["expression", "2"],
    ]);
    expect(document?.dialect).toBe("vespa");
  });

  // biome-ignore format: a table
  test.each([
    { name: "weights.json",   content: writeTensor(tensor, "json"), value: tensor },
    { name: "weights.csv",    content: writeTensor(evaluate("tensor(k{}):{a:1,b:2}"), "csv"), value: evaluate("tensor(k{}):{a:1,b:2}") },
    { name: "weights.tensor", content: `${tensor}\n`,               value: tensor },
    { name: "weights.tbf",    content: writeTensor(tensor, "binary"), value: tensor },
    { name: "weights.npy",    content: writeTensor(dense, "npy"),   value: evaluate("tensor(d0[2],d1[2]):[[1,2],[3,4.5]]") },
  ])("a cell: $name", async ({ name, content, value }) => {
    const cell = await cellOf(name, content);
    expect(cell?.name).toBe("weights");
    expect(`${cell?.value}`).toBe(`${value}`);
  });

  test("a long cell in lines, which is the value all the same", async () => {
    const label = (at: number): string => JSON.stringify(`a, "b", 'c' ${at}`);
    const long = evaluate(
      `tensor(k{}):{${Array.from({ length: 9_000 }, (_, at) => `${label(at)}:${at}.5`)}}`,
    );
    const { cells } = await imported([file("long.tensor", `${long}`)]);
    const text = cells[0]?.text ?? "";
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(150);
    expect(evaluate(text).equals(long)).toBe(true);
  });

  test("a cell, of an archive of NumPy", async () => {
    const cell = await cellOf("my weights.npz", await writeNpz(dense));
    expect(cell?.name).toBe("my_weights");
    expect(`${cell?.value}`).toBe("tensor(d0[2],d1[2]):[[1.0, 2.0], [3.0, 4.5]]");
    const { cells, faults } = await imported([file("weights.npz", await writeNpz(tensor))]);
    expect(faults).toEqual([]);
    expect(cells.map((each) => (each.kind === "expression" ? [each.name, each.text] : []))).toEqual([
      ["a", "tensor(d0[2]):[1.0, 2.0]"],
      ["b", "tensor(d0[2]):[3.0, 4.0]"],
    ]);
  });

  test.each([
    ["2024.tensor", "value_2024"],
    ["true.tensor", "value_true"],
    ["?.tensor", "value"],
  ])("a cell whose name can be mentioned, of %s", async (file, name) => {
    const cell = await cellOf(file, `${dense}`);
    expect(cell?.name).toBe(name);
    expect(evaluate(`${name} + 1`, { [name]: 1 }).asNumber()).toBe(2);
  });

  test("a cell with numbers that no literal can have, and labels that look like them", async () => {
    const special = evaluate(`tensor(k{}):{a:1/0, b:-1/0, c:0/0, "NaN":1, "it's Infinity, NaN":2}`);
    const cell = await cellOf("special.tensor", `${special}`);
    expect(`${cell?.value}`).toBe(`${special}`);
  });

  test("a model whose sizes are open, of which one item is computed", async () => {
    const weight = raw(new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer));
    const { document, faults } = await imported([file("layer.onnx", layer(weight, "many\n1 + 1"))]);
    expect(faults).toEqual([]);
    const text = document?.cells[0]?.text ?? "";
    expect(text).toContain(String.raw`# The model leaves the size "many\n1 + 1" open. It is 1 here.`);
    expect(
      `${compile(text)
        .runAll({ x_: [[1, 1, 1]] })
        .value("y_")}`,
    ).toContain(":[[9.0, 12.0]]");
  });

  test("a package, as files or as an archive, with what goes with it", async () => {
    const paths = ["schemas/article.sd", "constants/hidden-weights.json", "constants/output-weights.json"];
    const loose = await imported([
      ...paths.map(example),
      ...["documents.jsonl", "query.json", "response.json"].map((path) => example(path)),
    ]);
    expect(loose.faults).toEqual([]);
    expect(loose.profile.files.map(({ path }) => path)).toEqual(paths);
    expect(loose.profile.documents).toContain("id:press:article::chairs");
    expect(loose.profile.query).toContain("ranking.profile");
    expect(loose.profile.response).toContain("matchfeatures");
    const zip = zipSync({
      "app/schemas/article.sd": example("schemas/article.sd").bytes,
      "app/readme.md": strToU8("no part of it"),
    });
    const archived = await imported([file("app.zip", zip)]);
    expect(archived.profile.files.map(({ path }) => path)).toEqual(["app/schemas/article.sd"]);
    const beside = ["documents.jsonl", "query.json", "response.json"];
    const all = [...paths, ...beside].map((path) => [`app/${path}`, example(path).bytes] as const);
    const whole = await imported([file("app.zip", zipSync(Object.fromEntries(all)))]);
    expect(whole.faults).toEqual([]);
    expect(whole.profile).toEqual({
      ...loose.profile,
      files: loose.profile.files.map((each) => ({ ...each, path: `app/${each.path}` })),
    });
  });

  test("no documents, where a file has a query on each line", async () => {
    const { faults, profile } = await imported([example("queries.jsonl")]);
    expect([faults.map(({ message }) => message.includes("query.json")), profile.documents]).toEqual([
      [true],
      "",
    ]);
  });

  test("documents, by what is in them", async () => {
    const { profile } = await imported([file("a.json", '{"put": "id:a:b::c", "fields": {}}')]);
    expect(profile.documents).toContain("id:a:b::c");
  });
});

test("a tensor of unbound sizes becomes an expression of those that it has", async () => {
  expect(
    (await cellOf("w.tensor", "tensor(B[]):{{B:0}:5,{B:1}:6}"))?.value.equals(evaluate("tensor(B[2]):[5,6]")),
  ).toBe(true);
  const json = '{"type":"tensor<float>(k{},B[])","blocks":{"a":[1,2]}}';
  expect(`${(await cellOf("w.json", json))?.value}`).toBe("tensor<float>(B[2],k{}):{a:[1.0, 2.0]}");
});

describe("files are refused", () => {
  // biome-ignore format: a table
  test.each([
    { says: "no known end",        dropped: file("a.exe", "MZ"),                                             message: "files that can be read end in" },
    { says: "no tensor",           dropped: file("a.npy", "no array"),                                       message: "." },
    { says: "no JSON",             dropped: file("a.json", "{"),                                             message: "." },
    { says: "a setup that is none", dropped: file("a.json", '{"f":7}'),                                      message: "." },
    { says: "no archive",          dropped: file("a.zip", "PK"),                                             message: "." },
    { says: "no model",            dropped: file("a.onnx", "no model"),                                      message: "." },
    { says: "no UTF-8 in a program", dropped: file("a.sphex", Uint8Array.of(0x22, 0xe9, 0x22)),              message: "UTF-8" },
    { says: "no UTF-8 in a schema", dropped: file("a.sd", Uint8Array.of(0x23, 0xe9)),                        message: "UTF-8" },
    { says: "no UTF-8 in a table", dropped: file("a.csv", Uint8Array.of(0x6b, 0x0a, 0xe9)),                  message: "UTF-8" },
    { says: "no table",            dropped: file("a.csv", ""),                                               message: "." },
    { says: "too long for a cell", dropped: file("data/a.npy", writeTensor(evaluate("tensor(x[200000])(x)"), "npy")), message: String.raw`constant a: tensor\(d0\[200000\]\) = file\("a.npy"\)` },
  ])("$says", async ({ dropped, message }) => {
    const { faults, document, cells } = await imported([dropped]);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.name).toBe(dropped.name);
    expect(faults[0]?.message).toMatch(new RegExp(message));
    expect(document).toBeUndefined();
    expect(cells).toEqual([]);
  });

  test("an archive that unpacks to more than a page has room for", async () => {
    const bomb = zipSync({ "schemas/a.sd": new Uint8Array(60_000_000) }, { level: 9 });
    expect(bomb.length).toBeLessThan(100_000);
    const { faults, profile } = await imported([file("bomb.zip", bomb)]);
    expect(faults[0]?.message).toContain("more than 50000000 bytes");
    expect(profile.files).toEqual([]);
  });

  test("one by one: the others are read", async () => {
    const { faults, cells } = await imported([file("a.npy", "no"), file("b.tensor", "tensor(x[1]):[7]")]);
    expect(faults.map(({ name }) => name)).toEqual(["a.npy"]);
    expect(cells.map((cell) => cell.kind === "expression" && cell.name)).toEqual(["b"]);
  });
});
