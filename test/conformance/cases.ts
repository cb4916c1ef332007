import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { InputValue } from "../../src/program/inputs/inputs.js";
import type { CellList } from "./equality.js";

/** Where suites of cases are: our own here, those that are not ours to copy beside the project. A clone has only ours. */
const shared = new URL("../../../shared/conformance/", import.meta.url);
const folders = [new URL("./", import.meta.url), shared].filter((folder) => existsSync(folder));
if (!folders.includes(shared))
  console.info(
    "../shared/conformance is absent: of the cases of Vespa's engines only random.jsonl.gz is tried",
  );

const ending = ".jsonl.gz";

/** The suites that there are here, each by its name: its path, without the ending. */
const suites: ReadonlyMap<string, URL> = new Map(
  folders.toReversed().flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(ending))
      .map((path): [string, URL] => [
        path.slice(0, -ending.length).replaceAll("\\", "/"),
        new URL(path, folder),
      ]),
  ),
);

export const suiteNames: readonly string[] = [...suites.keys()].sort();

export const hasCases = (suite: string): boolean => suites.has(suite);

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

/** The cases of a suite, one JSON object a line; none of a suite that is absent. */
export function casesOf<T = Case>(suite: string): T[] {
  const file = suites.get(suite);
  if (file === undefined) return [];
  const lines = gunzipSync(readFileSync(file)).toString().trim().split("\n");
  return lines.map((line): T => JSON.parse(line));
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
