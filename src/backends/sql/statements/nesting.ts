import type { CommonTable } from "../lowering.js";
import { indented, queryText, type RelationQuery, type SelectQuery } from "../query.js";

/** The text of a table that may stand where it is used, and how many others stand in it, one within the other. */
interface Nestable {
  readonly text: string;
  readonly depth: number;
}

/** How many queries stand in a query, one within the other: what is above it stays by itself, as texts are as long as their depth. */
const deepest = 3;

/**
 * Tables of which those that are used once stand where they are used, as a person writes them who does not say what each computes:
 * an engine plans them sooner.
 */
export function nestedTables(
  tables: readonly CommonTable[],
  uses: ReadonlyMap<string, number>,
  /** Those that stay by themselves. */
  paused: ReadonlySet<string>,
  isNamed: boolean,
): readonly CommonTable[] {
  const nestable = new Map<string, Nestable>();
  const nested = new Set<string>();
  const all = tables.map((table): CommonTable => {
    let depth = 0;
    /** A relation with its alias, or what stands for it. */
    const source = (text: string): string => {
      const [, before = "", name = "", after = ""] = sourceStart.exec(text) ?? [];
      const inner = nestable.get(name);
      if (inner === undefined) return text;
      nested.add(name);
      depth = Math.max(depth, inner.depth);
      return `${before}(\n${indented(inner.text)}\n)${after}${text.slice(before.length + name.length + after.length)}`;
    };
    const query = withSources(table.query, source);
    const isUsedOnce = uses.get(table.name) === 1 && !paused.has(table.name);
    const isNestable = isUsedOnce && depth < deepest && !table.isStage && !table.isVerbatim;
    if (isNestable) nestable.set(table.name, { text: queryText(query, isNamed), depth: depth + 1 });
    return { ...table, query };
  });
  return all.filter(({ name }) => !nested.has(name));
}

/** A relation that has a name behind FROM, or behind the words of a join. */
const sourceStart = /^((?:[A-Z]+ )*)(\w+)( AS )/;

function withSources(query: RelationQuery, source: (text: string) => string): RelationQuery {
  if ("text" in query) return query;
  const inSelect = (each: SelectQuery): SelectQuery => ({
    ...each,
    ...(each.from === undefined ? {} : { from: source(each.from) }),
    joins: (each.joins ?? []).map(source),
  });
  return "union" in query ? { union: query.union.map(inSelect) } : inSelect(query);
}
