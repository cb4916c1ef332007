import type { AggregatorName } from "../../language/scalar/aggregators.js";
import type { ScalarName } from "../../language/scalar/functions.js";
import type { CellType } from "../../language/types/cell.js";
import type { ScalarExpression, Template } from "./expressions/scalar-expression.js";

/** How an engine writes what all of them can say: the only place that knows one from another. */
export interface SqlDialect {
  /** As it is written in options. */
  readonly name: string;
  readonly title: string;
  /** Whether the tests run it, or only compare its text. */
  readonly isRun: boolean;
  /** A name in quotes. */
  readonly identifier: (name: string) => string;
  /** A text in quotes; nothing where the engine cannot hold it. */
  readonly text: (value: string) => string | undefined;
  /** A double, bit for bit. */
  readonly number: (value: number) => string;
  readonly integer: (value: number) => string;
  readonly types: { readonly label: string; readonly index: string; readonly number: string };
  /** What stands before the body of a common table expression that is used more than once. */
  readonly shared: string;
  /** The same of one that is a stage of an expression: where an engine would put its text wherever its columns are used. */
  readonly stage: string;
  /** Whether a query within another is planned sooner than a common table expression that is used once. */
  readonly plansNestedSooner: boolean;
  /** Whether the number of rows that a query has at most may be that of another query. */
  readonly hasComputedLimits: boolean;
  /** How it plans long statements. */
  readonly planning: Planning;
  /** What the list of common table expressions begins with. */
  readonly with: string;
  /** What a statement needs to have been run before, on the same connection; nothing of it outlasts that. */
  readonly preparation: (text: string) => readonly string[];
  /** Whether the column of `SELECT a.x` is `x` only where that is said. */
  readonly namesColumns: boolean;
  /** What stands before a statement that is run for the rows that each step of its plan has; absent where an engine does not tell. */
  readonly analyze?: string;
  /** What stands behind a statement. */
  readonly settings: string;
  /** A query for the numbers below a size. */
  readonly range: (size: number, column: string) => string;
  /** A query for the numbers from 0 up to the value of another query; none where that is NULL. */
  readonly upTo: (last: string, column: string) => string;
  /** A query for rows that are written out. */
  readonly rows: (columns: readonly TypedColumn[], rows: readonly (readonly string[])[]) => string;
  /** A file as a relation that has these columns; absent, or nothing, where the engine does not read it. */
  readonly file?: (path: string, columns: readonly FileColumn[]) => string | undefined;
  /** What tells the names of columns as they are written; absent where the engine tells names by all of their letters, or refuses others. */
  readonly columnNames?: ColumnNameQueries;
  /** A query for the names and types of the columns of several files, each pair once; absent, or nothing, where files have no types. */
  readonly columnTypes?: (path: string) => string | undefined;
  /** The join of a row with the elements of its array, which count from 0. */
  readonly unnest: (array: string, alias: string, position: string, element: string) => string;
  /** How many elements an array has. */
  readonly arrayLength: Template;
  /** What the engine computes of arrays; absent where it has none, or none that are quick. */
  readonly arrays?: ArrayFunctions;
  /** The whole part of a quotient of indexes. */
  readonly quotient: Template;
  readonly asInteger: Template;
  /** A statement that writes the rows of another to a file or a table; absent where the engine writes none. */
  readonly writeFile?: (query: string, path: string, format: "parquet" | "csv") => string;
  readonly writeTable: (query: string, table: string) => readonly string[];
  /** What makes statements one that is done or not; absent where each is by itself. */
  readonly transaction?: { readonly begin: string; readonly commit: string };
  readonly isNaN: Template;
  readonly asNumber: Template;
  readonly asText: Template;
  /** Whether a column shows something else than the number that a cast makes of it, such as a date; absent where casts refuse these. */
  readonly isNoNumber?: Template;
  /** Whether an array is nested as deep as there are sizes, and has others; absent where the type of a column says how arrays are nested. */
  readonly isOtherShape?: (array: string, sizes: readonly number[]) => string;
  /** The whole part of a number as an index; NULL where it is no index. */
  readonly asIndex: Template;
  /** The label of a computed number. */
  readonly asLabel: Template;
  readonly scalars: Readonly<Record<ScalarName, Template>>;
  /** The second parameter is the order of the cells; nothing where the engine has no such aggregate. */
  readonly aggregates: Readonly<Record<AggregatorName, Template | undefined>>;
  /** The sum where a rest of rounding would count: as exact as the engine can. */
  readonly exactSum: Template;
  /** What a cell of a type holds after a number was stored in it. */
  readonly storing: Readonly<Record<CellType, (value: ScalarExpression) => ScalarExpression>>;
  /** `a` and `b` joined on a condition, where either may lack a row. */
  readonly fullJoin: string;
}

/** How an engine plans the tables of a statement. */
export interface Planning {
  /** The most relations that it plans as one in a long program: the time grows with a power of how many there are. */
  readonly mostAtOnce: number;
  /** Whether it puts the expression of a column wherever a query uses it: an expression that is used twice is computed twice. */
  readonly repeatsExpressions: boolean;
}

/** Queries whose only column are the names of other columns, in their order. */
export interface ColumnNameQueries {
  readonly query: Template;
  /** Nothing for a file that tells no names beforehand. */
  readonly file: (path: string) => string | undefined;
}

/** What an engine computes of the arrays of dense blocks. */
export interface ArrayFunctions {
  /** The type of an array of doubles. */
  readonly type: string;
  readonly literal: (numbers: readonly string[]) => string;
  /** A column of arrays of any numbers as one of doubles. */
  readonly asNumbers: Template;
  /** The same whose elements may be NULL; absent where they may be so in any array. */
  readonly asNullableNumbers?: Template;
  /** An array with the value of a body for the elements of arrays of one length. */
  readonly transform: (arrays: readonly string[], body: (elements: readonly string[]) => string) => string;
  /** The sum of the products of two arrays of one length. */
  readonly innerProduct: Template;
  /** Whether that takes much less time than to make an array of the products. */
  readonly hasQuickProducts: boolean;
  /** An array with a value for each of so many parts of an array, which have one size; absent where arrays may count from anywhere. */
  readonly ofParts?: (array: string, parts: number, size: number, value: Template) => string;
  /** Of the elements of an array, none of which is missing; an aggregator without one is computed of cells. */
  readonly aggregates: Partial<Readonly<Record<AggregatorName, Template>>>;
}

/** A column of a file that is read. */
export interface FileColumn {
  readonly name: string;
  /** Whether it has arrays of numbers. */
  readonly isArray: boolean;
}

export interface TypedColumn {
  readonly name: string;
  readonly type: string;
}
