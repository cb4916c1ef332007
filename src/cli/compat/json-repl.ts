import type { Readable, Writable } from "node:stream";
import { SphexError } from "../../index.js";
import {
  fieldOf,
  jsonTexts,
  type Step,
  stepsOf,
  type Variables,
  verbatim,
  wireError,
} from "../../vespa/compat/compat.js";
import { textsOf, write } from "../io.js";

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
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      return "broken";
    }
    const reply = Array.isArray(data) ? await replies(data, variables) : await replyTo(data, variables);
    await write(output, `${JSON.stringify(reply)}\n`);
  }
  return "end";
}

type Reply = { readonly result: string; readonly steps?: readonly Step[] } | { readonly error: string };

async function replies(messages: readonly unknown[], variables: Variables): Promise<readonly Reply[]> {
  const all: Reply[] = [];
  for (const each of messages) all.push(await replyTo(each, variables));
  return all;
}

async function replyTo(message: unknown, variables: Variables): Promise<Reply> {
  const [expression, name, verbose] = ["expr", "name", "verbose"].map((each) => fieldOf(message, each));
  if (typeof expression !== "string" || expression === "") {
    return { error: "missing expression: a message is {expr, name?, verbose?}" };
  }
  try {
    const tensor = await variables.evaluate(expression);
    const steps = verbose === true ? { steps: stepsOf(variables.explain(expression)) } : {};
    if (typeof name === "string" && name !== "") variables.set(name, tensor);
    return { result: verbatim(tensor), ...steps };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { error: wireError(error, expression) };
  }
}
