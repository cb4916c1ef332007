import { mapTuple } from "../../../language/source/lists.js";
import type { SqlDialect } from "../dialect.js";
import type { Template } from "../expressions/scalar-expression.js";
import { type PostgresArithmetic, postgresqlWith } from "./postgresql.js";

/** A function of a connection, or an aggregate of one. */
interface Helper {
  readonly name: string;
  readonly definition: string;
  /** The helpers that it is made of. */
  readonly uses: readonly string[];
}

const infinity = (sign: string): string => `CAST(${sign} || 'Infinity' AS float8)`;
const signOf = (isNegative: string): string => `CASE WHEN ${isNegative} THEN '-' ELSE '' END`;
/** Whether numbers are so far from the ends of the range that no product or quotient of them is beyond. */
const areModerate = "abs(x) BETWEEN 1e-140 AND 1e140 AND abs(y) BETWEEN 1e-140 AND 1e140";
const outOfRange = "EXCEPTION WHEN numeric_value_out_of_range THEN";
const unequalSigns = "(x < 0) <> (y < 0)";

const scalarHelper = (name: string, body: string): Helper => ({
  name,
  definition: `CREATE OR REPLACE FUNCTION pg_temp.${name}(x float8, y float8) RETURNS float8 LANGUAGE plpgsql IMMUTABLE STRICT AS $$
${body}
$$`,
  uses: [],
});

const aggregateHelper = (name: string, step: string, first: number): Helper => ({
  name,
  definition: `CREATE OR REPLACE AGGREGATE pg_temp.${name}(float8) (sfunc = pg_temp.${step}, stype = float8, initcond = '${first}')`,
  uses: [step],
});

const helpers: readonly Helper[] = [
  scalarHelper(
    "sphex_add",
    `BEGIN
  IF abs(x) < 8e307 AND abs(y) < 8e307 THEN RETURN x + y; END IF;
  BEGIN
    RETURN x + y;
  ${outOfRange}
    RETURN ${infinity(signOf("x < 0"))};
  END;
END`,
  ),
  scalarHelper(
    "sphex_multiply",
    `BEGIN
  IF x = 0 OR y = 0 OR (${areModerate}) THEN RETURN x * y; END IF;
  BEGIN
    RETURN x * y;
  ${outOfRange}
    -- What is too large has two factors above 1, and what is too small none.
    RETURN CASE WHEN abs(x) > 1 THEN ${infinity(signOf(unequalSigns))} ELSE CAST(${signOf(unequalSigns)} || '0' AS float8) END;
  END;
END`,
  ),
  scalarHelper(
    "sphex_divide",
    `DECLARE
  sign text := CASE WHEN (x < 0) <> (CAST(y AS text) LIKE '-%') THEN '-' ELSE '' END;
BEGIN
  IF (x = 0 AND y <> 0) OR (${areModerate}) THEN RETURN x / y; END IF;
  IF y = 0 THEN
    RETURN CASE WHEN x = 0 OR x = 'NaN' THEN 'NaN' ELSE ${infinity("sign")} END;
  END IF;
  BEGIN
    RETURN x / y;
  ${outOfRange}
    RETURN CASE WHEN abs(x) > abs(y) THEN ${infinity("sign")} ELSE CAST(sign || '0' AS float8) END;
  END;
END`,
  ),
  scalarHelper(
    "sphex_power",
    `DECLARE
  sign text := '';
BEGIN
  RETURN power(x, y);
${outOfRange}
  -- A negative base has a whole exponent.
  IF x < 0 AND abs(y) < 'Infinity' AND abs(y - 2 * trunc(y / 2)) = 1 THEN sign := '-'; END IF;
  RETURN CASE WHEN (abs(x) > 1) = (y > 0) THEN ${infinity("sign")} ELSE CAST(sign || '0' AS float8) END;
END`,
  ),
  scalarHelper(
    "sphex_remainder",
    `DECLARE
  rest float8 := abs(x);
  least float8 := abs(y);
  step float8 := least;
BEGIN
  IF rest = 'NaN' OR least = 'NaN' OR least = 0 OR rest = 'Infinity' THEN RETURN 'NaN'; END IF;
  IF rest < least THEN RETURN x; END IF;
  -- All differences are exact, for what is subtracted is more than half of the rest.
  WHILE step <= rest - step LOOP step := step + step; END LOOP;
  LOOP
    IF rest >= step THEN rest := rest - step; END IF;
    EXIT WHEN step = least;
    step := step / 2;
  END LOOP;
  RETURN CASE WHEN x < 0 THEN -rest ELSE rest END;
END`,
  ),
  aggregateHelper("sphex_sum", "sphex_add", 0),
  aggregateHelper("sphex_exact_product", "sphex_multiply", 1),
];

const of =
  (name: string): Template =>
  (...parameters) =>
    `pg_temp.${name}(${parameters.join(", ")})`;
const [add, multiply, divide, sum] = mapTuple(
  ["sphex_add", "sphex_multiply", "sphex_divide", "sphex_sum"],
  of,
);
const two = "'2'::float8";
const lower = (v: string): string => `percentile_disc(0.5) WITHIN GROUP (ORDER BY ${v})`;

const arithmetic: PostgresArithmetic = {
  name: "postgresql-exact",
  add,
  subtract: (x, y) => add(x, `-${y}`),
  multiply,
  divide,
  power: of("sphex_power"),
  remainder: of("sphex_remainder"),
  aggregates: {
    // Without the order of the cells, which aggregates are given, too.
    sum: (v) => sum(v),
    avg: (v) => divide(sum(v), "CAST(count(*) AS float8)"),
    prod: (v, order) => `pg_temp.sphex_exact_product(${v} ORDER BY ${order})`,
    median: (v) =>
      `CASE WHEN bool_or(${v} = 'NaN'::float8) THEN 'NaN'::float8 WHEN count(*) % 2 = 1 THEN ${lower(v)} ELSE ${divide(add(lower(v), `-${lower(`-${v}`)}`), two)} END`,
  },
  preparation: (text) => {
    const needed = new Set(
      helpers
        .filter(({ name }) => text.includes(`pg_temp.${name}(`))
        .flatMap(({ name, uses }) => [name, ...uses]),
    );
    return helpers.filter(({ name }) => needed.has(name)).map(({ definition }) => definition);
  },
};

/**
 * PostgreSQL with the arithmetic of IEEE 754: functions that begin with the operator of the engine, and know what an outcome is that
 * the engine calls out of range. They cost a call for each number.
 */
export const exactPostgresql: SqlDialect = postgresqlWith(arithmetic);
