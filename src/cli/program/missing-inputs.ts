import {
  canonicalName,
  type InputValues,
  type Problem,
  parseProgram,
  type Source,
  sampleTensor,
} from "../../index.js";

/** A literal of more characters is better written in a file. */
const longestLiteral = 60;

/**
 * What to type where a run lacked an input: an option for each input of the program without a value, of its type, to be
 * copied. Nothing where the problems are others.
 */
export function missingInputsText(
  { name, text }: Source,
  values: InputValues,
  problems: readonly Problem[],
): string {
  if (!problems.some(({ code }) => code === "input/missing")) return "";
  const options = declaredTypes(name, text).flatMap(([input, type]) =>
    Object.hasOwn(values, input) ? [] : [`  --set '${input}=${exampleOf(input, type)}'`],
  );
  return options.length === 0
    ? ""
    : `\nValues for the inputs that have none, of their types:\n${options.join(" \\\n")}\n`;
}

/** The inputs that a program declares without a default, with their types as they are written. */
function declaredTypes(name: string, text: string): [name: string, type: string][] {
  return (parseProgram({ name, text }).tree?.statements ?? []).flatMap((each): [string, string][] => {
    if (each.kind !== "declaration" || each.role !== "input" || each.value !== undefined) return [];
    if (each.type === undefined) return [];
    const { type } = each;
    return [[canonicalName(slice(text, each.name.span)), slice(text, type.span)]];
  });
}

const slice = (text: string, { start, end }: { readonly start: number; readonly end: number }): string =>
  text.slice(start, end);

function exampleOf(input: string, type: string): string {
  const file = `@${input.replace(/[^A-Za-z0-9]/g, "-")}.json`;
  try {
    const literal = `${sampleTensor(type)}`;
    return literal.length > longestLiteral ? file : literal;
  } catch {
    return file; // a type that is too large for an example
  }
}
