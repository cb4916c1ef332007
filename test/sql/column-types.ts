import { compile, parseType, SphexError } from "../../src/index.js";
import { onEngine, type SqlEngine, type TableBinding } from "../../src/sql.js";

/** Columns of types that are neither texts nor doubles: their cells are what they show, or there is a problem. */
export interface ColumnCase {
  readonly query: string;
  readonly type: string;
  readonly binding?: Partial<TableBinding>;
  readonly expression?: string;
  /** The value, or the code of the problem. */
  readonly is: string;
}

/** What an engine says of rows with the columns `k` and `v`. */
export async function outcomeOf(
  engine: SqlEngine,
  { query, type, binding = {}, expression = "r" }: ColumnCase,
): Promise<string> {
  const [dimension = ""] = parseType(type).names;
  const bound: TableBinding = {
    source: { query },
    dimensions: { [dimension]: "k" },
    ...(binding.block === undefined ? { value: "v" } : {}),
    ...binding,
  };
  try {
    return `${await compile(`input r: ${type}\n${expression}`).on(onEngine(engine), { r: bound }).run()}`;
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code).join();
    throw error;
  }
}
