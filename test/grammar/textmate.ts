import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { type IGrammar, INITIAL, Registry } from "vscode-textmate";

/** The TextMate grammars of the project, as an editor reads them. */

export type Grammar = IGrammar;

let engine: Promise<void> | undefined;

export async function loadGrammar(scope: string): Promise<Grammar> {
  // The engine is loaded once in a process.
  const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
  engine ??= loadWASM(readFileSync(wasm).buffer);
  await engine;
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (name) => {
      const file = `../../grammar/${name.replace("source.", "")}.tmLanguage.json`;
      return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
    },
  });
  const loaded = await registry.loadGrammar(scope);
  if (loaded === null) throw new Error(`there is no grammar ${scope}`);
  return loaded;
}

/** The innermost scope at each character of a text; of a comment or a string that of all of it. */
export function scopesOf(grammar: Grammar, text: string): string[] {
  const scopes: string[] = [];
  let stack = INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    for (const { startIndex, endIndex, scopes: found } of tokens)
      for (let at = startIndex; at < Math.min(endIndex, line.length); at++)
        scopes.push(found.find((each) => /^(?:comment|string)/.test(each)) ?? found.at(-1) ?? "");
    scopes.push("");
    stack = ruleStack;
  }
  return scopes;
}
