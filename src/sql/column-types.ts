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

/** Texts are what each file shows, unless the engine makes what another type shows of them; whole numbers are written alike. */
const haveOneText = (types: readonly string[]): boolean =>
  types.includes("VARCHAR")
    ? !types.some((each) => strongerThanTexts.includes(each))
    : types.every((each) => each.endsWith("INT") || each === "INTEGER");

/** What texts are cast to, where another file has it: an identifier is written in small letters then, and bytes without escapes. */
const strongerThanTexts: readonly string[] = ["UUID", "BLOB", "JSON"];

/**
 * A number of four bytes and another become one of four bytes, or a text, unless there is one of eight among them; decimals drop
 * digits behind the point where one decimal has no room for those that others have before it.
 */
function haveOneNumber(types: readonly string[]): boolean {
  const isText = types.includes("VARCHAR");
  const isDouble = types.includes("DOUBLE");
  if (types.some((each) => each.startsWith("FLOAT"))) return isDouble && !isText;
  return isText || isDouble || decimalDigits(types) <= mostDigits;
}

/** How many digits a decimal has at most. */
const mostDigits = 38;

/** How many digits it takes to hold numbers of all decimals among some types: `DECIMAL(18,3)` has 15 before the point. */
function decimalDigits(types: readonly string[]): number {
  let [before, behind] = [0, 0];
  for (const each of types.filter((type) => type.startsWith("DECIMAL("))) {
    const [width = 0, scale = 0] = each.slice("DECIMAL(".length, -1).split(",").map(Number);
    before = Math.max(before, width - scale);
    behind = Math.max(behind, scale);
  }
  return before + behind;
}
