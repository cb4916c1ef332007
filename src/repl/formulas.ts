import { clip } from "../language/source/columns.js";
import { EarlierValues } from "./memory/earlier-values.js";
import type { Memory } from "./memory/memory.js";

/** What `.lazy` prints: the named values, each with its formula and whether its value is known. */
export function formulasText(memory: Memory, width: number): string {
  const { definitions, cached } = memory;
  const earlier = new EarlierValues(memory.values);
  const formulas = definitions.texts.filter(([name]) => definitions.isFormula(name));
  if (formulas.length === 0) return "there are no named values: NAME = EXPRESSION defines one";
  return formulas
    .map(
      ([name, text]) =>
        `  ${cached.get(name) === undefined ? "later   " : "computed"}  ${oneLine(earlier.text(text))}`,
    )
    .map((line) => clip(line, width))
    .join("\n");
}

const oneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .join(" ");
