import { preludeText } from "../prelude/prelude.js";
import type { Source, Span } from "../source/span.js";
import { defaultNesting, parseProgram } from "../syntax/parse.js";
import type { Definition } from "../syntax/tree.js";
import { type Defined, Names } from "./names.js";

/** A definition is a line, which begins with its name and is found without being read. */
const definitionLines = /^(\w+)\(.*$/gm;

const source: Source = { name: "prelude", text: preludeText };
let known: Names | undefined;

/** The names that the prelude defines. What one of them means is read when it is first used: a program uses few. */
export function preludeNames(): Names {
  if (known !== undefined) return known;
  const names = new Names();
  for (const { 0: line, 1: name = "", index } of preludeText.matchAll(definitionLines))
    names.define(name, functionAt({ source, start: index, end: index + line.length }, names));
  known = names;
  return names;
}

/** The function that a line of the prelude defines. */
function functionAt(line: Span, home: Names): Defined {
  let tree: FunctionDefinition | undefined;
  const read = (): FunctionDefinition => {
    tree ??= definitionAt(line);
    return tree;
  };
  return {
    kind: "function",
    home,
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
