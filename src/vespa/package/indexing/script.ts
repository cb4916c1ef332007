import { textIn } from "../../../language/source/span.js";
import type { Word } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import type { MadeValue } from "../model/model.js";
import type { Reading } from "../model/reading.js";
import type { IndexingStatement } from "../syntax/tree.js";
import { madeValue } from "./made-values.js";
import { type ParsedScript, parseScript } from "./parse.js";

/** What the indexing of a field makes of it. */
export interface Indexing {
  readonly isAttribute: boolean;
  readonly isIndex: boolean;
  /** The fields that it takes as its input, as they are named. */
  readonly inputs: readonly Word[];
  /** What it makes of them: nothing where no step makes a value, and `other` where that is not only put together. */
  readonly made?: MadeValue | "other";
}

/** What the scripts of a field make of it; what is wrong with them is reported. */
export function readIndexing(
  field: string,
  scripts: readonly IndexingStatement[],
  reading: Reading,
): Indexing {
  const parsed = scripts.map(({ script, isBlock }) => {
    const found = parseScript(script, isBlock);
    reportFaults(field, found, reading);
    // What stands behind a mistake may be right.
    return { ...found, rest: found.fault === undefined ? [] : words(textIn(script)) };
  });
  const writes = (step: string): boolean =>
    parsed.some(({ fields, rest }) => fields.some((each) => each.step === step) || rest.includes(step));
  const inputs = parsed.flatMap(({ fields }) =>
    fields.flatMap(({ step, field: input }) => (step === "input" && input !== undefined ? [input] : [])),
  );
  const made = madeBy(scripts, parsed);
  return {
    ...{ isAttribute: writes("attribute"), isIndex: writes("index"), inputs },
    ...(made === undefined ? {} : { made }),
  };
}

function madeBy(
  [first, second]: readonly IndexingStatement[],
  parsed: readonly ParsedScript[],
): MadeValue | "other" | undefined {
  if (first === undefined) return undefined;
  const isRead = parsed.every(({ fault, unknown }) => fault === undefined && unknown.length === 0);
  return isRead && second === undefined ? madeValue(first.script) : "other";
}

const words = (text: string): readonly string[] => text.match(/\w+/g) ?? [];

function reportFaults(field: string, { fields, unknown, fault }: ParsedScript, { report }: Reading): void {
  const block = "an indexing script";
  for (const { word, nearest } of unknown) {
    const values = { block, keyword: word.text };
    report(
      nearest === undefined
        ? problem("schema/unread", word.span, values)
        : problem("schema/keyword", word.span, { ...values, nearest }),
    );
  }
  for (const { step, field: named, span } of fields) {
    if (step === "input" && named === undefined) report(problem("indexing/input", span, {}));
    if (step !== "input" && named !== undefined && named.text !== field)
      report(problem("indexing/field", named.span, { step, named: named.text, field }));
  }
  if (fault !== undefined)
    report(
      problem("indexing/unexpected", fault.span, {
        found: textIn(fault.span).trim(),
        expected: fault.expected,
      }),
    );
}
