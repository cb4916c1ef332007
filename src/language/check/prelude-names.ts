import { preludeText } from "../prelude/prelude.js";
import type { Source, Span } from "../source/span.js";
import { defaultNesting, parseProgram } from "../syntax/parse.js";
import type { Definition } from "../syntax/tree.js";
import { type NameDefinition, Names } from "./names.js";

/** A definition is a line that begins with its name, so that it is found without parsing. */
const definitionLines = /^(\w+)\(.*$/gm;

const source: Source = { name: "prelude", text: preludeText };
let cachedNames: Names | undefined;

/** The names that the prelude defines. A definition is parsed when it is first used: a program uses few. */
export function preludeNames(): Names {
  if (cachedNames !== undefined) return cachedNames;
  const names = new Names();
  for (const { 0: line, 1: name = "", index } of preludeText.matchAll(definitionLines))
    names.define(name, functionAt({ source, start: index, end: index + line.length }, names));
  cachedNames = names;
  return names;
}

/** The function that a line of the prelude defines. */
function functionAt(line: Span, names: Names): NameDefinition {
  let tree: FunctionDefinition | undefined;
  const read = (): FunctionDefinition => {
    tree ??= definitionAt(line);
    return tree;
  };
  return {
    kind: "function",
    names,
    get tree() {
      return read();
    },
    get parameters() {
      return read().parameters;
    },
  };
}

type FunctionDefinition = Definition & Required<Pick<Definition, "parameters">>;

function definitionAt(line: Span): FunctionDefinition {
  const { tree, problems } = parseProgram(source, defaultNesting, line);
  const [only] = tree?.statements ?? [];
  if (only?.kind !== "definition" || only.parameters === undefined || problems.length > 0)
    throw new Error(`the prelude is broken: ${problems[0]?.message}`);
  return { ...only, parameters: only.parameters };
}
