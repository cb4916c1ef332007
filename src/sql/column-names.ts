import type { SqlDialect } from "../backends/sql/dialect.js";
import { spanOfText } from "../language/values/messages.js";
import type { TableBinding } from "./bindings.js";
import type { InputCheck } from "./input-checks.js";
import { boundColumns, type InputTable, withoutEnd } from "./input-table.js";
import { problem } from "./messages.js";

/**
 * Whether an engine reads the columns that a binding names: of those whose names differ by case alone, or not at all, some read
 * the first for each.
 */
export function columnNamesCheck({ name, binding, dialect }: InputTable): InputCheck | undefined {
  const text = namesQuery(binding, dialect);
  if (text === undefined) return undefined;
  const span = spanOfText("binding", name);
  return {
    text,
    problems: ([names = []]) =>
      boundColumns(binding).flatMap(({ name: column }) => {
        const alike = names.map(String).filter((each) => each.toLowerCase() === column.toLowerCase());
        const isFirst = alike[0] === column && !alike.includes(column, 1);
        return alike.length < 2 || isFirst ? [] : [problem("binding/column", span, { name, column, alike })];
      }),
  };
}

/** What tells the names of the columns; nothing of a table, which an engine gives no names that it takes to be equal. */
function namesQuery({ source }: TableBinding, { columnNames }: SqlDialect): string | undefined {
  if ("query" in source) return columnNames?.query(withoutEnd(source.query));
  return "file" in source ? columnNames?.file(source.file) : undefined;
}
