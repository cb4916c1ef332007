import { inputsOf, lambdaOf, type Node, type NodeOf, visit } from "../../language/core/operations.js";
import type { TensorType } from "../../language/types/type.js";
import { entry } from "../../language/values/element.js";
import type { SqlDialect } from "./dialect.js";

/** The longest part of a name that is taken over: PostgreSQL cuts names after 63 bytes. */
const longestName = 40;

/**
 * The columns of all relations of a statement. Engines tell `x` from `X` no better than file systems do, even in quotes: each
 * dimension gets a name of its own, which is that of the dimension wherever that will do.
 */
export class ColumnNames {
  /** The column that cells are in. */
  readonly value: string;
  /** The column of a second value in a row. */
  readonly other: string;
  private readonly taken = new Set<string>();
  private readonly columns = new Map<string, string>();

  constructor(
    roots: readonly Node[],
    private readonly dialect: SqlDialect,
    types: readonly TensorType[] = [],
    /** What stands for an input where that is a node. */
    inputNode: (node: NodeOf<"input">) => Node | undefined = () => undefined,
  ) {
    this.value = dialect.identifier(this.unique("value"));
    const others = types.flatMap(({ names }) => names);
    for (const name of [...new Set([...dimensionsIn(roots, inputNode), ...others])].sort())
      this.columns.set(name, dialect.identifier(this.unique(name)));
    this.other = this.fresh("other");
  }

  /** The column of a dimension, quoted. */
  dimension(name: string): string {
    return entry(this.columns, name);
  }

  /** A column of no dimension, quoted. */
  fresh(name: string): string {
    return this.dialect.identifier(this.unique(name));
  }

  private unique(name: string): string {
    const base = name.slice(0, longestName);
    let candidate = base;
    for (let count = 2; this.taken.has(candidate.toLowerCase()); count++) candidate = `${base}_${count}`;
    this.taken.add(candidate.toLowerCase());
    return candidate;
  }
}

/** The dimensions of all nodes that roots are computed from, in lambdas and in defaults of inputs too. */
function dimensionsIn(
  roots: readonly Node[],
  inputNode: (node: NodeOf<"input">) => Node | undefined,
): ReadonlySet<string> {
  const dimensions = new Set<string>();
  // Iterating over a set includes what is added meanwhile.
  const reached = new Set(roots);
  for (const node of reached) {
    for (const { name } of node.type.dimensions) dimensions.add(name);
    for (const each of visit(inputsOf, node)) reached.add(each);
    const bound = node.op === "input" ? inputNode(node) : undefined;
    if (bound !== undefined) reached.add(bound);
    const lambda = lambdaOf(node);
    if (lambda === undefined) continue;
    for (const type of lambda.parameters) for (const { name } of type.dimensions) dimensions.add(name);
    reached.add(lambda.body);
  }
  return dimensions;
}
