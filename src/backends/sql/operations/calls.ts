import type { Lambda, Node } from "../../../language/core/operations.js";
import { TensorType } from "../../../language/types/type.js";
import { element } from "../../../language/values/element.js";
import { type LoweringContext, lambdaScope, type SqlBinder, type SqlScope } from "../context.js";
import { type ExpressionGoal, type ExpressionSource, evaluated } from "../expressions/expressions.js";
import { isJoinable } from "../expressions/lookups.js";
import { columnsAt, keyNamedColumns } from "../joins.js";
import type { NamedColumn } from "../query.js";
import { type KeyFrame, keyColumns, type Relation } from "../relation.js";

/** The body of a lambda or a generator, once for each row of a source. */

export interface CalledBody {
  readonly body: Node;
  readonly level: number;
  /** The scope of the body, whose binder is this one. */
  readonly scope: (binder: SqlBinder) => SqlScope;
}

/** The body of a lambda. */
export const lambdaCalls = ({ body }: Lambda, scope: SqlScope): CalledBody => ({
  body,
  level: 1,
  scope: (binder) => lambdaScope(scope, binder),
});

/**
 * The value of a body for each row, whose columns are the dimensions of the result. What is more than scalar functions of its
 * parameters, and cells that they pick, is computed for all calls at once: the address of the cell that a call is for becomes the key of all that the body
 * computes.
 */
export function called(
  run: LoweringContext,
  source: ExpressionSource,
  { body, level, scope }: CalledBody,
  goal: ExpressionGoal,
): Relation {
  if (isJoinable(run.dialect, body, level)) return evaluated(run, body, scope(withoutCalls), source, goal);
  const { names } = run;
  const columns = source.columns.map(([, name]) => names.fresh(keyName(name)));
  const parameters = source.parameters.map((text): NamedColumn => [text, names.fresh("parameter")]);
  const at = source.columns.map(([text], position): NamedColumn => [text, element(columns, position)]);
  const keyed = columnsAt(keyColumns(source.keys), source.keyTexts);
  const { from, joins = [], where = [] } = source;
  const calls = run.emit(
    `${goal.kind}_calls`,
    { columns: [...keyed, ...at, ...parameters], ...(from === undefined ? {} : { from }), joins, where },
    TensorType.scalar,
    source.keys,
    goal.node,
  );
  const frame: KeyFrame = { id: run.nextFrame(), columns, outer: source.keys, relation: () => calls.name };
  const keys = [...source.keys, frame];
  const relations: (Relation | undefined)[] = [];
  const parameter = (position: number): Relation => {
    const [, name] = element(parameters, position);
    relations[position] ??= run.emit(
      `${goal.kind}_parameter`,
      {
        columns: [...keyNamedColumns({ keys }, "c"), [`c.${name}`, names.value]],
        from: `${calls.name} AS c`,
      },
      TensorType.scalar,
      keys,
      goal.node,
    );
    return relations[position];
  };
  const inner: ExpressionSource = {
    from: `${calls.name} AS c`,
    columns: source.columns.map(
      ([, name], position): NamedColumn => [`c.${element(columns, position)}`, name],
    ),
    keys: source.keys,
    keyTexts: new Map(keyColumns(keys).map((name) => [name, `c.${name}`])),
    parameters: parameters.map(([, name]) => `c.${name}`),
    ...(source.indexes === undefined ? {} : { indexes: columns.map((name) => `c.${name}`) }),
    isOwn: (each) => each === frame,
  };
  return evaluated(run, body, scope({ parameter }), inner, goal);
}

export const withoutCalls: SqlBinder = {
  parameter: () => {
    throw new Error("the parameter of a plain body is no relation");
  },
};

/** The name of a key for a column of a dimension, which is in quotes. */
const keyName = (name: string): string => `at_${name.slice(1, -1)}`;
