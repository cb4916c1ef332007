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
  const folders = folderColumns(binding);
  return {
    text,
    problems: ([names = []]) =>
      boundColumns(binding).flatMap(({ name: column }) => {
        const isAlike = (each: string): boolean => each.toLowerCase() === column.toLowerCase();
        const alike = names.map(String).filter(isAlike);
        // What a folder says would take the place of what is in the file.
        const folder = alike.length > 0 ? folders.find((each) => isAlike(each.name)) : undefined;
        if (folder !== undefined)
          return [
            problem("binding/column", span, { name, column, alike: [column, `${folder.text} of a folder`] }),
          ];
        const isFirst = alike[0] === column && !alike.includes(column, 1);
        return alike.length < 2 || isFirst ? [] : [problem("binding/column", span, { name, column, alike })];
      }),
  };
}

/** The columns that folders of a path are for: `year=2024/ratings.parquet`. */
function folderColumns({
  source,
}: TableBinding): readonly { readonly name: string; readonly text: string }[] {
  const folders = "file" in source ? source.file.split("/").slice(0, -1) : [];
  return folders.flatMap((text) => {
    const at = text.indexOf("=");
    return at > 0 ? [{ name: text.slice(0, at), text }] : [];
  });
}

/** What tells the names of the columns; nothing of a table, which an engine gives no names that it takes to be equal. */
function namesQuery({ source }: TableBinding, { columnNames }: SqlDialect): string | undefined {
  if ("query" in source) return columnNames?.query(withoutEnd(source.query));
  return "file" in source ? columnNames?.file(source.file) : undefined;
}
