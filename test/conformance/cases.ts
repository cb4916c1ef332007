import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { InputValue } from "../../src/program/inputs.js";
import type { CellList } from "./equality.js";

/** The cases beside the project, one JSON object a line. */
const folder = new URL("../../../shared/conformance/", import.meta.url);

/** Whether the cases are there; a user's clone has none. */
export const hasCases = existsSync(folder);

/** What an engine said of a case. */
export interface Verdict {
  readonly type?: string;
  readonly valueType?: string;
  readonly cells?: CellList;
  readonly error?: string;
}

export interface Case {
  readonly id?: number;
  readonly expr: string;
  readonly vars: Readonly<Record<string, InputValue | { type: string; value: string }>>;
  readonly type?: string;
  readonly result?: string;
  readonly expected?: string | number;
  readonly tol?: number;
  readonly java?: Verdict;
  readonly cpp?: Verdict;
  readonly expectedDump?: string;
  readonly expectedError?: string;
}

export function casesOf<T = Case>(name: string): T[] {
  if (!hasCases) return [];
  const text = gunzipSync(readFileSync(new URL(`${name}.jsonl.gz`, folder))).toString();
  return text
    .trim()
    .split("\n")
    .map((line): T => JSON.parse(line));
}

/** The inputs of a case as the library takes them. */
export function inputsOf(vars: Case["vars"]): Record<string, InputValue> {
  return Object.fromEntries(
    Object.entries(vars).map(([name, value]): [string, InputValue] => {
      const typed = value as { readonly type?: unknown; readonly value?: unknown }; // whatever it is, these are looked at
      const isTyped = typeof typed.type === "string" && typeof typed.value === "string";
      // The rest are the library's own forms.
      return [name, isTyped ? `${typed.type}:${typed.value}` : (value as InputValue)];
    }),
  );
}

/** The cases in which we differ on purpose: by suite, from case to the decision or reason. */
export const explained: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(new URL("explained.json", import.meta.url), "utf8"),
);
