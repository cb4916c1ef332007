import { spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";

/** The command as an editor starts it, `sphex lsp --stdio`, on a package whose profile calls a model of ONNX. */

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const folder = temporaryFolder();
const schema = join(folder, "schemas", "cafe.sd");
const uri = pathToFileURL(schema).href;
const server = spawn(process.execPath, [at("bin/sphex.js"), "lsp", "--stdio"]);
let client: MessageConnection;

interface Told {
  readonly uri: string;
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}
const told: Told[] = [];

beforeAll(async () => {
  cpSync(at("examples/models"), folder, { recursive: true });
  client = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  client.onNotification("textDocument/publishDiagnostics", (each: Told) => void told.push(each));
  client.listen();
  await client.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
  await client.sendNotification("initialized", {});
});

afterAll(async () => {
  await client.sendRequest("shutdown");
  await client.sendNotification("exit");
  expect(await new Promise((resolve) => server.on("exit", resolve))).toBe(0);
});

const textDocument = { uri, languageId: "vespa-schema", version: 1 };
const text = (): string => readFileSync(schema, "utf8");

/** The position in the middle of a text that is there once. */
function positionOf(part: string): { readonly line: number; readonly character: number } {
  const lines = text().slice(0, text().indexOf(part)).split("\n");
  return { line: lines.length - 1, character: (lines.at(-1)?.length ?? 0) + 2 };
}

test("the types of models are those of their files", patient, async () => {
  await client.sendNotification("textDocument/didOpen", { textDocument: { ...textDocument, text: text() } });
  const position = positionOf("onnx(taste).gladness");
  const hover = await client.sendRequest<{ contents: { value: string } }>("textDocument/hover", {
    textDocument,
    position,
  });
  expect(hover.contents.value).toMatch(/tensor<float>\(d0\[1\],d1\[1\]\)/);
});

test("what a text alone answers does not wait for a check that goes on", patient, async () => {
  const long = { uri: pathToFileURL(join(folder, "long.sphex")).href };
  const terms = Array.from({ length: 6000 }, (_, at) => `sum(t * ${at} + tensor(x[3])(x), x)`);
  await client.sendNotification("textDocument/didOpen", {
    textDocument: {
      ...long,
      ...{ languageId: "sphex", version: 1, text: `input t: tensor(x[3])\n${terms.join(" + ")}\n` },
    },
  });
  const answered: string[] = [];
  const ask = (method: string): Promise<unknown> =>
    client
      .sendRequest(`textDocument/${method}`, { textDocument: long, position: { line: 1, character: 4 } })
      .then(() => answered.push(method));
  const hover = ask("hover");
  await new Promise((resolve) => setTimeout(resolve, 150));
  await Promise.all([hover, ask("completion")]);
  // On Windows nobody hears it.
  if (process.platform !== "win32") expect(answered).toEqual(["completion", "hover"]);
});

test("an output that a model has not is told at once, again and again", patient, async () => {
  const change = async (version: number, changed: string): Promise<Told> => {
    told.length = 0;
    await client.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [{ text: changed }],
    });
    await expect.poll(() => told.some((each) => each.uri === uri), { timeout: 20_000 }).toBe(true);
    return told.find((each) => each.uri === uri) as Told; // polled for
  };
  for (let version = 2; version < 6; version += 2) {
    const wrong = await change(version, text().replace("onnx(taste).gladness", "onnx(taste).sadness"));
    expect(wrong.diagnostics.map(({ message }) => message).join()).toContain("sadness");
    expect((await change(version + 1, text())).diagnostics).toEqual([]);
  }
});
