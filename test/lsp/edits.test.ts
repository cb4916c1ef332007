import fc from "fast-check";
import { expect, test } from "vitest";
import { holds } from "../chance.js";
import { Editor, schema, schemaUri, uri } from "./editor-client.js";

/** Whatever is typed, in a program or a schema, the server is the same as one that is started on the text as it is. */

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

const whole = { range: { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } } };

test.each([
  {
    document: uri,
    begin: "a = tensor(x[2]):[1,2]\nf(t) = t * a\nf(a){x:0} + sum(a, x)\n",
    asked: ["documentSymbol", "semanticTokens/full", "foldingRange", "inlayHint", "codeLens"],
    cases: 60,
  },
  {
    document: schemaUri,
    begin: schema,
    asked: ["documentSymbol", "semanticTokens/full", "foldingRange", "inlayHint", "codeLens"],
    cases: 20,
  },
])("after random edits of $document", async ({ document, begin, asked, cases }) => {
  const editor = new Editor();
  await editor.start();
  await editor.open(begin, document);
  const fresh = new Editor();
  await fresh.start();
  let text = begin;
  const law = fc.asyncProperty(edits, async (list) => {
    const cursors: object[] = [];
    for (const { from, length, text: inserted } of list) {
      const start = Math.min(from, text.length);
      const [before, after] = [text.slice(0, start), text.slice(start + length)];
      const change = { start: positionIn(text, start), end: positionIn(text, start + length) };
      await editor.change([{ range: change, text: inserted }], document);
      text = before + inserted + after;
      const cursor = {
        position: positionIn(text, start + inserted.length),
        context: { includeDeclaration: true },
      };
      for (const method of [...atCursor, "completion"]) await editor.ask(method, cursor, document);
      cursors.push(cursor);
    }
    await fresh.open(text, document);
    const strip = (answer: unknown) => ({ ...(answer as object), resultId: undefined });
    for (const [method, parameters] of [
      ...asked.map((each) => [each, whole] as const),
      ...atCursor.flatMap((each) => cursors.map((cursor) => [each, cursor] as const)),
    ])
      expect(strip(await editor.ask(method, parameters, document)), `${method} ${text}`).toEqual(
        strip(await fresh.ask(method, parameters, document)),
      );
    await fresh.close(document);
    text = begin;
    await editor.change([{ text }], document);
  });
  await holds(law, cases);
  for (const each of [editor, fresh]) await each.end();
});

/** What is asked at a cursor; of names that a text had before it could not be read any more, completion alone tells. */
const atCursor = ["hover", "definition", "references", "prepareRename"] as const;

/** Lines end as the protocol has it: with CR LF, LF or CR. */
function positionIn(text: string, offset: number): { readonly line: number; readonly character: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
