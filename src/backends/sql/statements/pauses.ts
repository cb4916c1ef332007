import { greatest } from "../../../language/source/lists.js";
import { entry } from "../../../language/values/element.js";
import type { Planning } from "../dialect.js";
import type { CommonTable } from "../lowering.js";
import type { SelectQuery } from "../query.js";

/** A program of as many tables is planned as one by any engine. */
const shortProgram = 24;

/**
 * The tables whose rows are kept before others go on with them, so that a long program is planned in parts: each is made of so
 * many others that are used once, and stand within it.
 */
export function pauses(
  tables: readonly CommonTable[],
  uses: ReadonlyMap<string, number>,
  wordsOf: (table: CommonTable) => readonly string[],
  { mostAtOnce, repeatsExpressions }: Planning,
): ReadonlySet<string> {
  const found = new Set<string>(repeatsExpressions ? repeatedTables(tables, uses) : []);
  const most = tables.length > 2 * shortProgram ? mostAtOnce : shortProgram;
  const sizes = new Map<string, number>();
  for (const table of tables) {
    const { name } = table;
    let size = 1;
    for (const word of wordsOf(table)) size += sizes.get(word) ?? 0;
    if (size > most) found.add(name);
    sizes.set(name, found.has(name) || uses.get(name) !== 1 ? 0 : size);
  }
  return found;
}

/** How many parts the expression of a column may have, with those of the columns that it is computed from in their place. */
const longestExpression = 128;

/** The parts of the expression of each column. */
type ColumnSizes = ReadonlyMap<string, number>;

/** The tables whose columns would become too long where they are used: a chain of expressions that are used twice doubles each time. */
function repeatedTables(
  tables: readonly CommonTable[],
  uses: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const sizes = new Map<string, ColumnSizes>();
  for (const { name, query, isStage } of tables) {
    const selects = "text" in query ? [] : "union" in query ? query.union : [query];
    for (const select of selects) {
      const sources = sourcesOf(select).filter(([, source]) => sizes.has(source));
      const isLong = (): boolean => longest(sizesOf(select, new Map(sources), sizes)) > longestExpression;
      // From the one whose columns are the longest on.
      const open = sources
        .map(([, source]) => source)
        .filter((source) => longest(entry(sizes, source)) > 1)
        .sort((a, b) => longest(entry(sizes, b)) - longest(entry(sizes, a)));
      for (const source of open) {
        if (!isLong()) break;
        found.add(source);
        sizes.set(source, new Map());
      }
    }
    const [select] = selects;
    // What is grouped, or the rows of several queries, is no expression of those that it is made of.
    const isKept = isStage || uses.get(name) !== 1 || selects.length !== 1 || select?.groupBy !== undefined;
    sizes.set(
      name,
      isKept || select === undefined ? new Map() : sizesOf(select, new Map(sourcesOf(select)), sizes),
    );
  }
  return found;
}

const longest = (sizes: ColumnSizes): number => greatest(sizes.values());

/** The aliases of a query, and the names of the relations that they are of. */
const sourcesOf = ({ from, joins = [] }: SelectQuery): (readonly [alias: string, name: string])[] =>
  [...(from === undefined ? [] : [from]), ...joins].flatMap((text) => {
    const [, name = "", alias = ""] = source.exec(text) ?? [];
    return alias === "" ? [] : [[alias, name] as const];
  });

/** A relation with a name and its alias, behind FROM or the words of a join. */
const source = /^(?:[A-Z]+ )*(\w+) AS (\w+)/;

/** A column of an alias. */
const reference = /\b(\w+)\.("[^"]*"|\w+)/g;

function sizesOf(
  { columns }: SelectQuery,
  sources: ReadonlyMap<string, string>,
  sizes: ReadonlyMap<string, ColumnSizes>,
): ColumnSizes {
  const found = new Map<string, number>();
  for (const [text, name] of columns) {
    const [, star] = /^(\w+)\.\*$/.exec(text) ?? [];
    if (star !== undefined)
      for (const [each, size] of sizes.get(sources.get(star) ?? "") ?? []) found.set(each, size);
    let size = 0;
    for (const [, alias = "", column = ""] of text.matchAll(reference))
      size += sizes.get(sources.get(alias) ?? "")?.get(column) ?? 1;
    found.set(name, Math.max(1, size));
  }
  return found;
}
