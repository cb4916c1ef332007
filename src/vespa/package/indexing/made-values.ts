import type { Span } from "../../../language/source/span.js";
import type { MadeValue } from "../model/model.js";
import { partsBetween, within } from "./parts.js";
import { preservingSteps, writingSteps } from "./steps.js";
import { type ScriptToken, scriptTokens } from "./tokens.js";

/** Steps behind which a value is what it was. */
const preserving = new Set([...preservingSteps, ...writingSteps]);

/** Steps that write what features see; the members of structs are those of a summary. */
const writing = [new Set(["attribute", "index"]), new Set(["summary"])];

/**
 * What a script writes: nothing where no step makes a value, as in `attribute` alone, and `other` where it is not only put together.
 */
export function madeValue(script: Span): MadeValue | "other" | undefined {
  let tokens: readonly ScriptToken[] = scriptTokens(script);
  // A script in braces is what stands in them.
  for (let inner = within("{", "}", tokens); inner !== undefined; inner = within("{", "}", tokens))
    tokens = inner;
  const statements = partsBetween(";", tokens);
  const [written = []] = writing.map((steps) => statements.filter((each) => has(steps, each))).filter(isFull);
  const [statement, ...others] = written;
  if (statement === undefined) return undefined;
  if (others.length > 0) return "other";
  const [[first] = []] = partsBetween("|", statement);
  return first !== undefined && preserving.has(first.text) ? undefined : (ofStatement(statement) ?? "other");
}

const isFull = (list: readonly unknown[]): boolean => list.length > 0;

const has = (steps: ReadonlySet<string>, statement: readonly ScriptToken[]): boolean =>
  partsBetween("|", statement).some(([first]) => first !== undefined && steps.has(first.text));

/** A value, and steps behind which it is what it was. */
function ofStatement(statement: readonly ScriptToken[]): MadeValue | undefined {
  const [value = [], ...steps] = partsBetween("|", statement);
  return steps.every(([first]) => first?.kind === "word" && preserving.has(first.text))
    ? ofExpression(value)
    : undefined;
}

function ofExpression(tokens: readonly ScriptToken[]): MadeValue | undefined {
  const options = partsBetween("||", tokens);
  const parts = partsBetween(".", tokens);
  if (options.length > 1 && parts.length > 1) return undefined;
  if (options.length > 1) return ofAll("first", options);
  return parts.length > 1 ? ofAll("joined", parts) : ofOne(tokens);
}

function ofAll(kind: "joined" | "first", parts: readonly (readonly ScriptToken[])[]): MadeValue | undefined {
  const of = parts.flatMap((each) => ofOne(each) ?? []);
  return of.length === parts.length ? { kind, of } : undefined;
}

function ofOne(tokens: readonly ScriptToken[]): MadeValue | undefined {
  const inner = within("(", ")", tokens);
  if (inner !== undefined) return ofStatement(inner);
  const [first, second] = tokens;
  if (first?.kind === "text" && tokens.length === 1) return ofText(first);
  if (first?.text !== "input" || tokens.length !== 2) return undefined;
  const name = second?.kind === "text" ? unescaped(second.text) : second?.text;
  return name === undefined ? undefined : { kind: "field", name };
}

function ofText({ text: image, span }: ScriptToken): MadeValue | undefined {
  const text = unescaped(image);
  return text === undefined ? undefined : { kind: "text", text, span };
}

// biome-ignore format: a table
const escapes: Readonly<Record<string, string>> = { "\\": "\\", '"': '"', t: "\t", n: "\n", r: "\r", f: "\f" };

/** What a text in quotes says; nothing where it has signs that are written as numbers. */
function unescaped(image: string): string | undefined {
  const signs = /\\([\s\S])/g;
  const isRead = Array.from(image.matchAll(signs)).every(([, sign = ""]) => Object.hasOwn(escapes, sign));
  return isRead ? image.slice(1, -1).replace(signs, (_, sign: string) => escapes[sign] ?? sign) : undefined;
}
