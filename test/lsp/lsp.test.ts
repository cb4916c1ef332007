import { afterEach, describe, expect, test } from "vitest";
import { type Diagnostics, Editor, profile, profileUri, schema, schemaUri, uri } from "./editor-client.js";

/** `sphex lsp` as an editor sees it. */

let editor: Editor;

async function opened(text: string): Promise<Editor> {
  editor = new Editor();
  await editor.start();
  await editor.open(text);
  return editor;
}

afterEach(() => editor.end());

const at = (line: number, character: number) => ({ position: { line, character } });
const range = (line: number, start: number, end: number) => ({
  start: { line, character: start },
  end: { line, character: end },
});

test("problems are told of a text that is opened, changed and closed", async () => {
  const editor = await opened("a = tensor(x[2]):[1,2]\nsofmax(a, x)\n");
  const first = await editor.problems();
  expect(first).toMatchObject({
    uri,
    version: 1,
    diagnostics: [{ code: "name/unknown-function", range: range(1, 0, 6) }],
  });
  expect(first.diagnostics[0]?.message).toContain("did you mean softmax?");
  await editor.change([{ range: range(1, 0, 6), text: "softmax" }]);
  expect(await editor.problems()).toEqual({ uri, version: 2, diagnostics: [] });
  await editor.close();
  expect(await editor.problems()).toEqual({ uri, diagnostics: [] });
});

test("a schema that is not on the disk is no program: not saved yet, or an earlier version beside the present one", async () => {
  const editor = await opened("1 + 1\n");
  for (const other of ["untitled:doc.sd", "git:/app/schemas/doc.sd?%7B%22ref%22%3A%22HEAD%22%7D"]) {
    await editor.open(schema, other);
    expect(await editor.ask("semanticTokens/full", {}, other)).toEqual({ data: [] });
    expect(await editor.ask("hover", at(0, 1), other)).toBeNull();
  }
});

describe("an editor is answered", () => {
  const text = "# The first.\na = tensor(x[2]):[1,2]\ntwice(t) = t + t\ntwice(a)\n";

  test("with the type and the remark of a name", async () => {
    const answer = await (await opened(text)).ask("hover", at(3, 6));
    expect(answer).toEqual({
      contents: { kind: "markdown", value: "```sphex\na: tensor(x[2])\n```\n\nThe first\\." },
      range: range(3, 6, 7),
    });
  });

  test("with what may come next", async () => {
    const editor = await opened(`${text}twi`);
    expect(await editor.ask("completion", at(4, 3))).toEqual([
      { label: "twice(", kind: 3, textEdit: { range: range(4, 0, 3), newText: "twice(" } },
    ]);
  });

  test("with the parameters of a call", async () => {
    const answer = await (await opened(text)).ask("signatureHelp", at(3, 6));
    expect(answer).toMatchObject({ signatures: [{ label: "twice(t)", parameters: [{ label: [6, 7] }] }] });
  });

  test("with the definition of a name, and its uses", async () => {
    const editor = await opened(text);
    expect(await editor.ask("definition", at(3, 6))).toEqual({ uri, range: range(1, 0, 1) });
    const uses = (withDefinition: boolean) =>
      editor.ask("references", { ...at(1, 0), context: { includeDeclaration: withDefinition } });
    expect(await uses(true)).toEqual([
      { uri, range: range(1, 0, 1) },
      { uri, range: range(3, 6, 7) },
    ]);
    expect(await uses(false)).toEqual([{ uri, range: range(3, 6, 7) }]);
    expect(await editor.ask("documentHighlight", at(3, 6))).toHaveLength(2);
  });

  test("with a lens that runs the program, if it says anything", async () => {
    const editor = await opened(text);
    const command = { title: "Run", command: "sphex.run", arguments: ["run", "/nowhere/text.sphex"] };
    expect(await editor.ask("codeLens")).toEqual([{ range: range(1, 0, 1), command }]);
    await editor.change([{ text: "# nothing yet" }]);
    expect(await editor.ask("codeLens")).toEqual([]);
  });

  test("with the edits of a rename, or why there are none", async () => {
    const editor = await opened(text);
    expect(await editor.ask("prepareRename", at(3, 6))).toEqual(range(3, 6, 7));
    expect(await editor.ask("prepareRename", at(0, 4))).toBe(null);
    expect(await editor.ask("rename", { ...at(3, 6), newName: "b" })).toEqual({
      changes: {
        [uri]: [
          { range: range(1, 0, 1), newText: "b" },
          { range: range(3, 6, 7), newText: "b" },
        ],
      },
    });
    await expect(editor.ask("rename", { ...at(3, 6), newName: "twice" })).rejects.toThrow(
      "twice is defined already",
    );
  });

  test("with the outline, folds, types, colours and the layout of a text", async () => {
    const editor = await opened(text.replace("t + t", "t\n  + t"));
    expect(await editor.ask("documentSymbol")).toMatchObject([
      { name: "a" },
      { name: "twice" },
      { name: "twice(a)" },
    ]);
    expect(await editor.ask("foldingRange")).toEqual([{ startLine: 2, endLine: 3 }]);
    const whole = { range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } } };
    expect(await editor.ask("inlayHint", whole)).toMatchObject([{ label: ": tensor(x[2])" }]);
    const { data } = await editor.ask<{ data: number[] }>("semanticTokens/full");
    expect(data.slice(0, 5)).toEqual([0, 0, 12, 0, 0]);
    expect(data.slice(5, 10)).toEqual([1, 0, 1, 6, 1]);
    const edits = await editor.ask<{ newText: string }[]>("formatting", { options: {} });
    expect(edits.map(({ newText }) => newText)).toEqual(["a = tensor(x[2]):[1, 2]", "twice(t) = t + t"]);
  });

  test("with an edit that mends a word", async () => {
    const editor = await opened("sofmax(tensor(x[2]):[1,2], x)");
    const parameters = { range: range(0, 2, 2), context: { diagnostics: [] } };
    expect(await editor.ask("codeAction", parameters)).toMatchObject([
      {
        title: "write softmax",
        edit: { changes: { [uri]: [{ range: range(0, 0, 6), newText: "softmax" }] } },
      },
    ]);
  });

  test.each([
    "hover",
    "completion",
    "definition",
    "documentSymbol",
    "semanticTokens/full",
  ])("about a document that is not open: nothing, %s", async (method) => {
    const editor = await opened(text);
    const answer = await editor.ask<{ data?: [] } | null>(method, at(0, 0), "file:///nowhere/other.sphex");
    expect([null, [], { data: [] }]).toContainEqual(answer);
  });
});

test("characters that would be obeyed are shown instead", async () => {
  const editor = await opened('tensor(x{}):{a:1}{x:"\u202eb"} + nosuch\u001b');
  const { diagnostics } = await editor.problems();
  expect(diagnostics.length).toBeGreaterThan(0);
  for (const { message } of diagnostics)
    for (const sign of ["\u001b", "\u202e"]) expect(message).not.toContain(sign);
});

describe("of a file in an application package an editor is told", () => {
  const openedFiles = async (): Promise<Editor> => {
    const editor = await opened("1");
    await editor.open(profile, profileUri);
    return editor;
  };

  /** The problems of a document, past those of others. */
  async function problemsOf(editor: Editor, document: string): Promise<Diagnostics> {
    for (;;) {
      const found = await editor.problems();
      if (found.uri === document) return found;
    }
  }

  test("the problems, also those that a change in another file brings about", async () => {
    const editor = await openedFiles();
    const first = await problemsOf(editor, profileUri);
    expect(first.diagnostics).toMatchObject([{ code: "feature/unknown", range: range(1, 41, 50) }]);
    await editor.open(schema.replace("similarity()", "simlarity()"), schemaUri);
    const second = await problemsOf(editor, profileUri);
    expect(second.diagnostics).toMatchObject([{ code: "feature/unknown", range: range(1, 28, 38) }]);
    await editor.change([{ range: range(1, 28, 38), text: "simlarity" }], profileUri);
    expect((await problemsOf(editor, profileUri)).diagnostics).toEqual([]);
  });

  test("the type of a name, and where it is defined", async () => {
    const editor = await openedFiles();
    const hover = await editor.ask<{ contents: { value: string } }>("hover", at(1, 30), profileUri);
    expect(hover.contents.value).toBe("```sphex\nsimilarity(): tensor()\n```");
    expect(await editor.ask("definition", at(1, 30), profileUri)).toEqual({
      uri: schemaUri,
      range: range(7, 13, 23),
    });
    await editor.open(schema, schemaUri);
    const feature = await editor.ask<{ contents: { value: string } }>("hover", at(7, 47), schemaUri);
    expect(feature.contents.value).toBe("```sphex\nquery(q): tensor<float>(x[2])\n```");
    expect(await editor.ask("definition", at(7, 47), schemaUri)).toMatchObject({ uri: schemaUri });
    const whole = { range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } };
    expect(await editor.ask("inlayHint", whole, schemaUri)).toMatchObject([{ label: ": tensor()" }]);
  });

  test("the parts of a schema and of a file of rank profiles, and what folds", async () => {
    interface Part {
      readonly name: string;
      readonly detail?: string;
      readonly children: readonly Part[];
    }
    const editor = await openedFiles();
    await editor.open(schema, schemaUri);
    const outline = (parts: readonly Part[], depth = ""): string[] =>
      parts.flatMap(({ name, detail = "", children }) => [
        `${depth}${name} ${detail}`.trimEnd(),
        ...outline(children, `${depth}  `),
      ]);
    expect(outline(await editor.ask<Part[]>("documentSymbol", {}, schemaUri))).toEqual([
      "doc",
      "  doc",
      "    vector tensor<float>(x[2])",
      "    year int",
      "  base",
      "    inputs",
      "      query(q) tensor<float>(x[2])",
      "    similarity ()",
    ]);
    expect(outline(await editor.ask<Part[]>("documentSymbol", {}, profileUri))).toEqual([
      "best inherits base",
      "  first-phase",
    ]);
    expect(await editor.ask("foldingRange", {}, schemaUri)).toEqual([
      { startLine: 0, endLine: 9 },
      { startLine: 1, endLine: 4 },
      { startLine: 5, endLine: 8 },
    ]);
    await editor.change([{ range: range(4, 2, 3), text: "" }], schemaUri);
    expect(outline(await editor.ask<Part[]>("documentSymbol", {}, schemaUri))).toContain("    year int");
  });

  test("the uses of a name in all files, and another name for it", async () => {
    const editor = await openedFiles();
    const context = { includeDeclaration: true };
    expect(await editor.ask("references", { ...at(1, 30), context }, profileUri)).toEqual([
      { uri: schemaUri, range: range(7, 13, 23) },
      { uri: profileUri, range: range(1, 28, 38) },
    ]);
    await editor.change([{ range: range(1, 38, 50), text: "" }], profileUri);
    expect(await editor.ask("prepareRename", at(1, 30), profileUri)).toEqual(range(1, 28, 38));
    expect(await editor.ask("rename", { ...at(1, 30), newName: "near" }, profileUri)).toEqual({
      changes: {
        [schemaUri]: [{ range: range(7, 13, 23), newText: "near" }],
        [profileUri]: [{ range: range(1, 28, 38), newText: "near" }],
      },
    });
    await expect(editor.ask("rename", { ...at(1, 30), newName: "sum" }, profileUri)).rejects.toThrow("sum");
  });

  test("where a name stands in the file, and what each of its words is", async () => {
    const editor = await openedFiles();
    await editor.open(schema, schemaUri);
    expect(await editor.ask("documentHighlight", at(6, 19), schemaUri)).toEqual([
      { range: range(6, 19, 20) },
      { range: range(7, 50, 51) },
    ]);
    const { data } = await editor.ask<{ data: number[] }>("semanticTokens/full", {}, profileUri);
    const words = profile.match(/[\w-]+|\+/g) ?? [];
    expect(data.length).toBe(5 * words.length);
    // One line down, two characters in, `first-phase`, a keyword.
    expect(data.slice(4 * 5, 5 * 5)).toEqual([1, 2, 11, 1, 0]);
  });

  test("with lenses that score and test a rank profile", async () => {
    const editor = await openedFiles();
    const [root, name] = ["/nowhere/app/", "best"];
    const score = { title: "Score", command: "sphex.score", arguments: ["score", root, "--profile", name] };
    const tested = { title: "Test", command: "sphex.test", arguments: ["test", root] };
    expect(await editor.ask("codeLens", {}, profileUri)).toEqual([
      { range: range(0, 13, 17), command: score },
      { range: range(0, 13, 17), command: tested },
    ]);
    await editor.open(schema, schemaUri);
    const [first] = await editor.ask<{ command: typeof score }[]>("codeLens", {}, schemaUri);
    expect(first?.command.arguments).toEqual(["score", "/nowhere/app/schemas/doc.sd", "--profile", "base"]);
  });

  test("the call around the cursor, of its own functions and of the language's", async () => {
    const editor = await opened("1");
    await editor.open(schema, schemaUri);
    expect(await editor.ask("signatureHelp", at(7, 49), schemaUri)).toMatchObject({
      signatures: [{ label: "sum(tensor, dimension, …)" }],
    });
    await editor.change([{ range: range(7, 44, 44), text: "near(1, 2) + " }], schemaUri);
    const own = "    function near(a, b) { expression: a - b }\n";
    await editor.change([{ range: range(7, 0, 0), text: own }], schemaUri);
    expect(await editor.ask("signatureHelp", at(8, 52), schemaUri)).toMatchObject({
      signatures: [{ label: "near(a, b)", parameters: [{ label: [5, 6] }, { label: [8, 9] }] }],
      activeParameter: 1,
    });
  });

  test("an edit that mends a word of an expression", async () => {
    const editor = await openedFiles();
    const asked = { range: range(1, 42, 42), context: { diagnostics: [] } };
    expect(await editor.ask("codeAction", asked, profileUri)).toMatchObject([
      {
        title: "write similarity",
        edit: { changes: { [profileUri]: [{ range: range(1, 41, 50), newText: "similarity" }] } },
      },
    ]);
  });

  test("the layout of the expressions in a range, and of nothing else", async () => {
    const editor = await opened("1");
    const [line, braces] = [
      "    function a()  { expression: sum( query(q)*2,x ) }",
      "    function b() {\n      expression {\n\tsum(query(q)\n  *2,x)+\n1\n      }\n    }",
    ];
    await editor.open(
      schema.replace("    function similarity", `${line}\n${braces}\n    function similarity`),
      schemaUri,
    );
    const edits = (first: number, last: number) =>
      editor.ask(
        "rangeFormatting",
        { range: { start: { line: first, character: 0 }, end: { line: last, character: 0 } }, options: {} },
        schemaUri,
      );
    expect(await edits(7, 8)).toEqual([{ range: range(7, 32, 51), newText: "sum(query(q) * 2, x)" }]);
    expect(await edits(10, 11)).toMatchObject([{ newText: "sum(query(q) * 2, x) + 1" }]);
    expect(await edits(0, 3)).toEqual([]);
    expect(await editor.ask("formatting", { options: {} }, schemaUri)).toEqual([]);
  });

  test("what may come next", async () => {
    const editor = await openedFiles();
    const items = await editor.ask<{ label: string }[]>("completion", at(1, 31), profileUri);
    expect(items.map(({ label }) => label)).toEqual(["similarity", "similarity("]);
  });
});
