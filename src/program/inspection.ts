import type { CheckedProgram } from "../language/check/statements/program.js";
import { escapeHidden } from "../language/source/hidden-characters.js";

/** What programs show of themselves where a host prints or writes them: their borders, and nothing of what is within. */

/** The inputs and results of a program, with their types, as plain data. */
export interface ProgramBorder {
  readonly inputs: Readonly<Record<string, string>>;
  readonly results: readonly { readonly name?: string; readonly type: string }[];
}

export function borderOf({ declared, results }: CheckedProgram): ProgramBorder {
  const inputs = [...declared].filter(([, { role }]) => role === "input");
  return {
    inputs: Object.fromEntries(inputs.map(([name, { type }]) => [name, `${type}`])),
    results: results.map(({ node, name }) => ({
      ...(name === undefined ? {} : { name }),
      type: `${node.type}`,
    })),
  };
}

/** A line for each input and each result, of many the first ones. */
export function borderText(kind: string, checked: CheckedProgram): string {
  const { inputs, results } = borderOf(checked);
  const lines = [
    ...Object.entries(inputs).map(([name, type]) => `input ${name}: ${type}`),
    ...results.map(({ name, type }) => `result ${name === undefined ? "" : `${name}: `}${type}`),
  ].map((line) => `  ${escapeHidden(line.slice(0, longestLine))}`);
  const rest = lines.length - mostLines;
  return [kind, ...lines.slice(0, mostLines), ...(rest > 0 ? [`  … ${rest} more`] : [])].join("\n");
}

const mostLines = 20;
const longestLine = 200;
