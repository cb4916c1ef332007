import {
  canonicalName,
  type InputValues,
  type Problem,
  parseProgram,
  type Source,
  sampleTensor,
} from "../../index.js";
import { declaredTypes } from "../options/settings.js";

/** A literal of more characters is better written in a file. */
const longestLiteral = 60;

/**
 * What to type where a run lacked an input: an option for each input of the program without a value, of its type, to be
 * copied. Nothing where the problems are others.
 */
export function missingInputsText(source: Source, values: InputValues, problems: readonly Problem[]): string {
  if (!problems.some(({ code }) => code === "input/missing")) return "";
  const typeOf = declaredTypes({ kind: "program", text: source.text });
  const options = requiredInputs(source)
    .filter((input) => !Object.hasOwn(values, input))
    .map((input) => `  --set '${input}=${exampleOf(input, typeOf(input))}'`);
  return options.length === 0
    ? ""
    : `\nValues for the inputs that have none, of their types:\n${options.join(" \\\n")}\n`;
}

/** The inputs that a program declares without a default, in their order. */
function requiredInputs({ name, text }: Source): string[] {
  const statements = parseProgram({ name, text }).tree?.statements ?? [];
  return statements.flatMap((each) => {
    const isRequired = each.kind === "declaration" && each.role === "input" && each.value === undefined;
    return isRequired ? [canonicalName(text.slice(each.name.span.start, each.name.span.end))] : [];
  });
}

function exampleOf(input: string, type: string | undefined): string {
  const file = `@${input.replace(/[^A-Za-z0-9]/g, "-")}.json`;
  if (type === undefined) return file;
  try {
    const literal = `${sampleTensor(type)}`;
    return literal.length > longestLiteral ? file : literal;
  } catch {
    return file; // a type that is too large for an example
  }
}
