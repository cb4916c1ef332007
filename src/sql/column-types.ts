import { spanOfText } from "../language/values/messages.js";
import type { InputCheck } from "./input-checks.js";
import { boundColumns, type InputTable } from "./input-table.js";
import { problem } from "./messages.js";

/** Whether all files of a pattern have columns of types that the engine makes one of, without another value or label for any row. */
export function columnTypesCheck({ name, type, binding, dialect }: InputTable): InputCheck | undefined {
  const { source, dimensions } = binding;
  const text = "file" in source ? dialect.columnTypes?.(source.file) : undefined;
  if (text === undefined) return undefined;
  const span = spanOfText("binding", name);
  const labels = new Set(type.mapped.map((each) => dimensions[each.name]));
  return {
    text,
    problems: ([names = [], types = []]) =>
      boundColumns(binding).flatMap(({ name: column }) => {
        const own = types
          .map(String)
          .filter((_, at) => `${names[at]}`.toLowerCase() === column.toLowerCase());
        const isFine = labels.has(column) ? haveOneText(own) : haveOneNumber(own);
        return own.length < 2 || isFine ? [] : [problem("binding/types", span, { name, column, types: own })];
      }),
  };
}

/** Texts are what each file shows; whole numbers are written alike, and no others are. */
const haveOneText = (types: readonly string[]): boolean =>
  types.includes("VARCHAR") || types.every((each) => each.endsWith("INT") || each === "INTEGER");

/** A number of four bytes and another become one of four bytes, or a text, unless there is one of eight among them. */
const haveOneNumber = (types: readonly string[]): boolean =>
  !types.some((each) => each.startsWith("FLOAT")) ||
  (types.some((each) => each.startsWith("DOUBLE")) && !types.includes("VARCHAR"));
