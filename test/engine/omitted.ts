import type { Backend } from "../../src/backends/backend.js";
import { closures } from "../../src/backends/engine/backend.js";
import { Engine } from "../../src/backends/engine/engine.js";
import { machines } from "../../src/backends/engine/machine/machines.js";
import type { PassName, PassOptions } from "../../src/backends/engine/passes/pass.js";
import { verifyDraft } from "../../src/backends/engine/passes/verify.js";
import { Meter } from "../../src/backends/meter.js";
import { checkProgram } from "../../src/language/check/statements/program.js";
import { SphexError } from "../../src/language/source/problem.js";
import { defaultNesting, parseProgram } from "../../src/language/syntax/parse.js";
import { inputTypes } from "../../src/program/inputs/inputs.js";
import { limitsOf } from "../../src/program/options.js";
import { ProgramPlans } from "../../src/program/runs/program-plans.js";
import { Run } from "../../src/program/runs/run.js";
import type { Way } from "../agreement.js";

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
    const passes: PassOptions = { omitted, watch: (_, draft) => verifyDraft(draft) };
    const backend: Backend = {
      ...closures,
      plan: (roots, planning) => new Engine(roots, machines.named("closures"), { ...planning, passes }),
    };
    const plans = new ProgramPlans(checked, backend, options.optimise !== false);
    const meter = new Meter(limitsOf(options));
    const work = new Run(checked, new Map(Object.entries(values)), meter, plans).results();
    let step = work.next();
    while (step.done !== true) step = work.next();
    const [tensor] = step.value;
    if (tensor === undefined) throw new Error("an expression has a value");
    return tensor;
  };
