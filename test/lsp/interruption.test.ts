import { afterEach, expect, test } from "vitest";
import { patient } from "../patience.js";
import { Editor, uri } from "./editor-client.js";

/** A long text is checked for a while: what comes meanwhile is heard, as the host reads it in the middle of the work. */

let editor: Editor;
afterEach(() => editor.end());

/** Messages as they come on a stream, each at one look at it. */
function reading(...messages: readonly (object | undefined)[]): () => Uint8Array | undefined {
  const left = [...messages];
  return () => {
    const next = left.shift();
    const text = next && JSON.stringify({ jsonrpc: "2.0", ...next });
    return text === undefined ? undefined : Buffer.from(`Content-Length: ${text.length}\r\n\r\n${text}`);
  };
}

const start = { line: 0, character: 0 };
const textDocument = { uri };
const position = { line: 0, character: 1 };
const completion = (id: number) => ({
  id,
  method: "textDocument/completion",
  params: { textDocument, position },
});

const long = Array.from({ length: 2000 }, (_, at) => `a${at} = ${at} + 1\n`).join("");

async function opened(text: string, readNow: () => Uint8Array | undefined): Promise<void> {
  editor = new Editor(undefined, readNow);
  await editor.start();
  await editor.open(text);
}

test("a key ends the check of the text before it, and an answer from that", patient, async () => {
  const params = { textDocument: { uri, version: 2 }, contentChanges: [{ text: "b = 1\n" }] };
  await opened(long, reading({ method: "textDocument/didChange", params }));
  const told = editor.problems();
  await expect(editor.ask("hover", { position })).rejects.toMatchObject({ code: -32801 });
  expect(await told).toMatchObject({ version: 2, diagnostics: [] });
  expect(await editor.ask("hover", { position: start })).toMatchObject({ contents: { value: /b: tensor/ } });
});

test("a completion is answered in the middle of a check, which then begins anew", patient, async () => {
  await opened(long, reading(undefined, completion(1000)));
  expect(await editor.ask("hover", { position: start })).toMatchObject({ range: { start } });
  const [completed, hovered] = [editor.heard.indexOf('"id":1000'), editor.heard.indexOf("```sphex")];
  expect(completed).toBeGreaterThan(0);
  expect(completed).toBeLessThan(hovered);
});

test("whoever asks without end does not keep a text from being checked", patient, async () => {
  await opened(long, reading(...Array.from({ length: 30 }, (_, at) => completion(1000 + at))));
  expect(await editor.ask("hover", { position: start })).toMatchObject({ range: { start } });
});

test("the names for a long text are those of the last check, until the next is done", patient, async () => {
  const listed = async (): Promise<{ readonly isIncomplete?: true; readonly items: readonly object[] }> => {
    const answer = await editor.ask<object[] | { isIncomplete: true; items: object[] }>("completion", {
      position,
    });
    return Array.isArray(answer) ? { items: answer } : answer;
  };
  await opened(long, reading());
  const [ofLanguage, before] = [await listed(), await editor.ask("hover", { position: start }).then(listed)];
  expect(ofLanguage.isIncomplete).toBe(true);
  expect(before.isIncomplete).toBeUndefined();
  expect(before.items).toHaveLength(2000 + ofLanguage.items.length);
  await editor.change([{ range: { start, end: start }, text: "abc = 1\n" }]);
  expect(await listed()).toEqual({ ...before, isIncomplete: true });
  const after = await editor.ask("hover", { position: start }).then(listed);
  expect(after.isIncomplete).toBeUndefined();
  expect(after.items).toHaveLength(before.items.length + 1);
});
