import { PassThrough } from "node:stream";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { serveEditor } from "../src/lsp/main.js";
import { holds } from "./chance.js";

/** `sphex lsp` as an editor sees it: a client of the protocol at the other end of two streams. */

const uri = "file:///nowhere/text.sphex";

const schema = `schema doc {
  document doc {
    field vector type tensor<float>(x[2]) { indexing: attribute }
    field year type int { indexing: attribute }
  }
  rank-profile base {
    inputs { query(q) tensor<float>(x[2]) }
    function similarity() { expression: sum(query(q) * attribute(vector), x) }
  }
}
`;
const profile = `rank-profile best inherits base {
  first-phase { expression: similarity + simlarity }
}
`;
const onDisk = new Map([
  ["schemas/doc.sd", schema],
  ["schemas/doc/best.profile", profile],
]);
const application = {
  options: { root: "/nowhere/app/" },
  files: {
    list: (folder: string) => [...onDisk.keys()].filter((path) => path.startsWith(`${folder}/`)),
    read: (path: string) => onDisk.get(path) ?? "",
  },
};
const schemaUri = "file:///nowhere/app/schemas/doc.sd";
const profileUri = "file:///nowhere/app/schemas/doc/best.profile";

interface Diagnostics {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly range: unknown;
  }[];
}

class Editor {
  private readonly client: MessageConnection;
  private readonly waiting: ((found: Diagnostics) => void)[] = [];
  readonly ended: Promise<number>;
  private version = 0;

  constructor() {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    this.ended = serveEditor(toServer, toClient, {
      programOptions: () => ({}),
      packageOf: () => application,
    });
    this.client = createMessageConnection(
      new StreamMessageReader(toClient),
      new StreamMessageWriter(toServer),
    );
    this.client.onNotification("textDocument/publishDiagnostics", (found: Diagnostics) => {
      for (const take of this.waiting.splice(0)) take(found);
    });
    this.client.listen();
  }

  async start(): Promise<unknown> {
    const parameters = { processId: null, rootUri: null, capabilities: {} };
    const answer = await this.client.sendRequest("initialize", parameters);
    await this.client.sendNotification("initialized", {});
    return answer;
  }

  /** The next problems that the server tells by itself. */
  problems(): Promise<Diagnostics> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async open(text: string, document = uri): Promise<void> {
    const textDocument = { uri: document, languageId: "sphex", version: ++this.version, text };
    await this.client.sendNotification("textDocument/didOpen", { textDocument });
  }

  async change(contentChanges: readonly object[], document = uri): Promise<void> {
    const textDocument = { uri: document, version: ++this.version };
    await this.client.sendNotification("textDocument/didChange", { textDocument, contentChanges });
  }

  async close(): Promise<void> {
    await this.client.sendNotification("textDocument/didClose", { textDocument: { uri } });
  }

  ask<Answer = unknown>(method: string, parameters: object = {}, document = uri): Promise<Answer> {
    return this.client.sendRequest(`textDocument/${method}`, {
      textDocument: { uri: document },
      ...parameters,
    });
  }

  async end(): Promise<void> {
    await this.client.sendRequest("shutdown");
    await this.client.sendNotification("exit");
    expect(await this.ended).toBe(0);
    this.client.dispose();
  }
}

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
    const [edit] = await editor.ask<{ newText: string }[]>("formatting", { options: {} });
    expect(edit?.newText).toContain("twice(t) = t + t\n");
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

  test("what may come next", async () => {
    const editor = await openedFiles();
    const items = await editor.ask<{ label: string }[]>("completion", at(1, 31), profileUri);
    expect(items.map(({ label }) => label)).toEqual(["similarity", "similarity("]);
  });
});

/** Some text anywhere in a text, as somebody types, pastes and deletes. */
const edits = fc.array(
  fc.record({
    from: fc.nat(1000),
    length: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(12)),
    text: fc.oneof(
      fc.constantFrom(
        "a",
        "(",
        ")",
        "{",
        "x:",
        "\n",
        " = ",
        "tensor(x[2])",
        "sum(",
        '"',
        "#",
        "f(v)(v",
        "1",
        ",",
        "😀",
      ),
      fc.string({ maxLength: 6 }),
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

test("whatever is typed, the server knows what one knows that is opened on the text as it is", async () => {
  const begin = "a = tensor(x[2]):[1,2]\nf(t) = t * a\nf(a){x:0} + sum(a, x)\n";
  const asked = ["documentSymbol", "semanticTokens/full", "foldingRange", "inlayHint"] as const;
  const whole = { range: { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } } };
  const editor = await opened(begin);
  const fresh = new Editor();
  await fresh.start();
  let text = begin;
  const law = fc.asyncProperty(edits, async (list) => {
    for (const { from, length, text: inserted } of list) {
      const start = Math.min(from, text.length);
      const [before, after] = [text.slice(0, start), text.slice(start + length)];
      await editor.change([
        { range: { start: positionIn(text, start), end: positionIn(text, start + length) }, text: inserted },
      ]);
      text = before + inserted + after;
      for (const method of ["hover", "completion", "signatureHelp", "definition"])
        await editor.ask(method, { position: positionIn(text, start + inserted.length) });
    }
    await fresh.open(text);
    for (const method of asked) {
      const strip = (answer: unknown) => ({ ...(answer as object), resultId: undefined });
      expect(strip(await editor.ask(method, whole))).toEqual(strip(await fresh.ask(method, whole)));
    }
    await fresh.close();
    text = begin;
    await editor.change([{ text }]);
  });
  await holds(law, 60);
  await fresh.end();
});

/** Lines end as the protocol has it: with CR LF, LF or CR. */
function positionIn(text: string, offset: number): { readonly line: number; readonly character: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
