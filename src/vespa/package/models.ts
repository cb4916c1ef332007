import { textOf } from "./blocks.js";
import type { Model } from "./model.js";
import type { Reading } from "./reading.js";
import { type Statement, statementsIn, unquoted, valueAfter, wordsIn } from "./statements.js";

/** `onnx-model name { file: … input x: f output y: z }` */
export function readModel(
  { keyword, head, body, span }: Statement,
  reading: Reading,
): ReadonlyMap<string, Model> {
  const [name] = wordsIn(head);
  if (name === undefined) {
    reading.report("schema/name", keyword.span, { what: "model", wanted: "onnx-model name { … }" });
    return new Map();
  }
  const statements = body === undefined ? [] : statementsIn(body);
  const pairs = (kind: string): Map<string, string> =>
    new Map(
      statements.flatMap((each): [string, string][] =>
        each.keyword.text === kind && each.value !== undefined
          ? [[unquoted(each.head), unquoted(each.value)]]
          : [],
      ),
    );
  const file = valueAfter(statements, "file");
  const path = file === undefined ? {} : { file: textOf(file) };
  return new Map([[name.text, { name, span, ...path, inputs: pairs("input"), outputs: pairs("output") }]]);
}
