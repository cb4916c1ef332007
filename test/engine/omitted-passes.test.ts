import { expect, test } from "vitest";
import { passNames } from "../../src/backends/engine/passes/passes.js";
import { disagreements } from "../agreement.js";
import { caseFiles, linesOf } from "../case-files.js";
import { patient } from "../patience.js";
import { without } from "./omitted.js";

/** A pass makes a plan better and never makes it right: without any of them, and without all, the answers are the reference's. */
const ways = {
  ...Object.fromEntries(passNames.map((name) => [`without ${name}`, without(name)])),
  "without any pass": without(...passNames),
};

test.each(caseFiles)("without each pass as the reference, on the cases in %s", patient, (name) => {
  const expressions = linesOf(name).filter(({ value }) => value !== undefined);
  const differing = expressions.flatMap(({ expression: text, inputs, dialects: [dialect = "formalism"] }) =>
    disagreements(ways, text, inputs, { dialect }).map((each) => `${text}: ${each}`),
  );
  expect(differing).toEqual([]);
});
