import { TextDocument } from "vscode-languageserver-textdocument";
import { Document, isCollection, parse, stringify, visit } from "yaml";
import type { Editor, Outcome } from "./editor.js";
import { errorName, placeOf, recorded, wholeOf } from "./notation.js";

/** A recording: a Markdown file whose blocks say what is sent, and what comes back. */

/** A block, or the prose before, between and behind them. */
type Part =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "files" | "sent" | "answer" | "error" | "told"; readonly text: string };

const block = /^```yaml (files|sent|answer|error|told)\n([\s\S]*?)^```$/gm;

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const found of text.matchAll(block)) {
    const [all, kind, inside = ""] = found;
    parts.push({ kind: "prose", text: text.slice(at, found.index) });
    parts.push({ kind: kind as Exclude<Part["kind"], "prose">, text: inside }); // one of the words in the pattern
    at = found.index + all.length;
  }
  parts.push({ kind: "prose", text: text.slice(at) });
  return parts;
}

const fenced = (kind: string, text: string): string => `\`\`\`yaml ${kind}\n${text}\`\`\``;

/**
 * Sends what a recording says, and returns it with what came back. A message without an answer in the recording gets one; blocks of
 * what is told stand only where they were.
 */
export async function replayed(editor: Editor, recording: string, place: string): Promise<string> {
  const shown: string[] = [];
  for (const { kind, text } of partsOf(recording)) {
    if (kind === "answer" || kind === "error") {
      // What came stands there already, and the blank line before it.
      shown.pop();
    } else if (kind === "prose") {
      shown.push(text);
    } else if (kind === "files") {
      for (const [path, from] of entriesOf(text)) editor.put(path, `${from}`);
      shown.push(fenced(kind, text));
    } else if (kind === "told") {
      const told = (await editor.hear()).map((each) => ({
        [each.method]: recorded(editor, each.method, each.parameters),
      }));
      shown.push(fenced(kind, readable(told, place)));
    } else {
      shown.push(fenced(kind, text), await cameOf(editor, text, place));
    }
  }
  return shown.join("");
}

/** Sends a message; the block of what came of it, behind a blank line, if it is one that is answered. */
async function cameOf(editor: Editor, text: string, place: string): Promise<string> {
  const [[method, parameters] = ["", {}], ...more] = entriesOf(text);
  const message = prepared(editor, method, parameters);
  const outcome = await sent(editor, method, message, more.length > 0);
  if (outcome === undefined) return "";
  if ("answer" in outcome) {
    const answer = recorded(editor, method, outcome.answer, uriIn(message));
    return `\n\n${fenced("answer", readable(answer, place))}`;
  }
  const { code, message: reason } = outcome.error;
  return `\n\n${fenced("error", readable({ code: errorName(code), message: reason }, place))}`;
}

const entriesOf = (text: string): [string, unknown][] => Object.entries(parse(text) ?? {});

const uriIn = (message: object): string =>
  "textDocument" in message ? (message.textDocument as { uri: string }).uri : ""; // as `prepared` made it

const languages: Readonly<Record<string, string>> = {
  sphex: "sphex",
  sd: "vespa-schema",
  profile: "vespa-schema",
};

/** A message as the protocol has it: documents with their addresses, and places as lines and characters. */
function prepared(editor: Editor, method: string, parameters: unknown): object {
  if (typeof parameters !== "object" || parameters === null) return {};
  const { textDocument: path, ...rest } = parameters as Readonly<Record<string, unknown>>; // read from YAML
  if (typeof path !== "string") return parameters;
  const uri = editor.uriOf(path);
  const document = editor.document(uri);
  if (method === "textDocument/didOpen") {
    const languageId = languages[path.split(".").at(-1) ?? ""] ?? "plaintext";
    const text = typeof rest.text === "string" ? rest.text : document.getText();
    editor.opened(TextDocument.create(uri, languageId, 1, text));
    return { textDocument: { uri, languageId, version: 1, text } };
  }
  if (method === "textDocument/didClose") editor.closed(uri);
  if (method === "textDocument/didChange") {
    const version = document.version + 1;
    const contentChanges = (rest.contentChanges as Change[]).map((change) => {
      const { range, text } = change;
      const made = range === undefined ? { text } : { range: rangeAt(document, range), text };
      TextDocument.update(document, [made], version);
      return made;
    });
    return { textDocument: { uri, version }, contentChanges };
  }
  const places = Object.entries(rest).map(([key, value]) => [
    key,
    typeof value === "string" && (key === "position" || key === "range") ? rangeAt(document, value) : value,
  ]);
  return { textDocument: { uri }, ...Object.fromEntries(places) };
}

/** A change in a recording. */
interface Change {
  readonly range?: string;
  readonly text: string;
}

const rangeAt = (document: TextDocument, marked: string) =>
  marked === "whole" ? wholeOf(document) : placeOf(document, marked);

/** What comes of a message; nothing of one that is not answered. */
async function sent(
  editor: Editor,
  method: string,
  message: object,
  isGivenUp: boolean,
): Promise<Outcome | undefined> {
  if (method === "exit") return { answer: { "exit code": await editor.exit() } };
  if (/^(?:textDocument\/did|initialized$|\$\/)/.test(method)) {
    await editor.notify(method, message);
    return undefined;
  }
  return await editor.ask(method, message, isGivenUp);
}

/** YAML in which what is short stands in one line, and no path is that of a machine. */
function readable(value: unknown, place: string): string {
  const document = new Document(value);
  visit(document, {
    Collection: (_, node) => {
      if (isCollection(node) && isShort(node.toJSON())) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }).replaceAll(place, "$FOLDER");
}

const isShort = (value: unknown): boolean => {
  const text = stringify(value, { collectionStyle: "flow", lineWidth: 0 });
  return text.trimEnd().length <= 110 && !text.trimEnd().includes("\n");
};
