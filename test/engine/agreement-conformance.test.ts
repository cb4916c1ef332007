import { expect, test } from "vitest";
import { disagreements, ways } from "../agreement.js";
import { casesOf, hasCases, inputsOf } from "../conformance/cases.js";

/** Every way to run an expression has the reference's answer, on the cases of other engines. */
for (const name of ["engine", "scalar", "random", "java-eval", "docs", "playground"])
  test.skipIf(!hasCases(name))(`every way as the reference, on the cases of ${name}`, () => {
    const differing = casesOf(name).flatMap(({ expr, vars = {} }) =>
      disagreements(ways, expr, inputsOf(vars), { dialect: "vespa" }).map(
        (each) => `${expr} on ${JSON.stringify(vars)}, ${each}`,
      ),
    );
    expect(differing).toEqual([]);
  });
