import type { PassName } from "../src/backends/engine/passes/pass.js";
import { verifyDraft } from "../src/backends/engine/passes/verify.js";
import { checkProgram } from "../src/language/check/program.js";
import { SphexError } from "../src/language/source/problem.js";
import { defaultNesting, parseProgram } from "../src/language/syntax/parse.js";
import { inputTypes } from "../src/program/inputs.js";
import { Engines, Run } from "../src/program/run.js";
import type { Way } from "./agreement.js";

/** Runs an expression on the interpreter, by a plan without some passes; what comes of the others is verified. */
export const without =
  (...omitted: readonly PassName[]): Way =>
  (text, inputs, options) => {
    const { types, values } = inputTypes(inputs, options);
    const { tree, problems } = parseProgram({ name: "expression", text }, defaultNesting);
    if (tree === undefined || problems.length > 0) throw new SphexError(problems);
    const checked = checkProgram(tree, {
      dialect: options.dialect ?? "formalism",
      inputs: new Map(Object.entries(types)),
      cells: 1e6,
      expansions: 1e6,
    });
    const errors = checked.problems.filter(({ isError }) => isError);
    if (errors.length > 0) throw new SphexError(errors);
    const engines = new Engines(checked, { ...options, backend: "closures" });
    engines.engine(undefined, { passes: { omitted, watch: (_, draft) => verifyDraft(draft) } });
    const work = new Run(checked, new Map(Object.entries(values)), options, engines).results();
    let step = work.next();
    while (step.done !== true) step = work.next();
    const [tensor] = step.value;
    if (tensor === undefined) throw new Error("an expression has a value");
    return tensor;
  };
