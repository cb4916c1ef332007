import { functionDescriptions, parseProgram } from "../../index.js";
import type { Memory } from "../memory/memory.js";

/** The signatures and descriptions of the functions of the library, and the definitions of those of the session. */

/** The functions that every program knows, in alphabetical order. */
export const functionNames: readonly string[] = [...functionDescriptions().keys()];

/** A function's signature, and below it what it does: a sentence and an example, or its definition. */
export function functionHelp(name: string, memory: Memory): string | undefined {
  const own = memory.definitions.functions.get(name);
  if (own !== undefined)
    return [signatureOf(own, name), ...own.split("\n").map((line) => `  ${line}`)].join("\n");
  const builtIn = functionDescriptions().get(name);
  if (builtIn === undefined) return undefined;
  const { signature, description, example } = builtIn;
  const lines = [signature, `  ${description}`];
  if (example !== undefined) lines.push(`  ${example.call}  >  ${example.value}`);
  return lines.join("\n");
}

function signatureOf(text: string, name: string): string {
  const [statement] = parseProgram({ name: "definition", text }).tree?.statements ?? [];
  const parameters = statement?.kind === "definition" ? (statement.parameters ?? []) : [];
  return `${name}(${parameters.map((each) => each.text).join(", ")})`;
}
