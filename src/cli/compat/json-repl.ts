import type { Readable, Writable } from "node:stream";
import { type JsonValue, parseJson, SphexError, visibleJson } from "../../index.js";
import {
  jsonTexts,
  type Step,
  stepsOf,
  type Variables,
  verbatim,
  wireError,
} from "../../vespa/compat/compat.js";
import { textsOf, write } from "../terminal/io.js";

/**
 * `json-repl`: a program writes JSON and reads JSON. A message is `{expr, name?, verbose?}` and its reply `{result, steps?}`
 * or `{error}`; a list of messages has a list of replies. What is not JSON ends it.
 */
export async function jsonRepl(
  variables: Variables,
  input: Readable,
  output: Writable,
): Promise<"end" | "broken"> {
  for await (const text of jsonTexts(textsOf(input))) {
    const { tree } = parseJson({ name: "stdin", text });
    if (tree === undefined) return "broken";
    const reply = tree.kind === "array" ? await replies(tree, variables) : await replyTo(tree, variables);
    await write(output, `${visibleJson(reply)}\n`);
  }
  return "end";
}

type ProtocolReply =
  | { readonly result: string; readonly steps?: readonly Step[] }
  | { readonly error: string };

async function replies(messages: JsonValue, variables: Variables): Promise<readonly ProtocolReply[]> {
  const all: ProtocolReply[] = [];
  for (const each of messages.items()) all.push(await replyTo(each, variables));
  return all;
}

async function replyTo(message: JsonValue, variables: Variables): Promise<ProtocolReply> {
  const [expression, name] = ["expr", "name"].map((key) => message.member(key)?.string);
  if (expression === undefined || expression === "") {
    return { error: "missing expression: a message is {expr, name?, verbose?}" };
  }
  try {
    const tensor = await variables.evaluate(expression);
    const isVerbose = message.member("verbose")?.value === true;
    const steps = isVerbose ? { steps: stepsOf(variables.explain(expression)) } : {};
    if (name !== undefined && name !== "") variables.set(name, tensor);
    return { result: verbatim(tensor), ...steps };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { error: wireError(error, expression) };
  }
}
