import { layoutOf } from "../../src/backends/engine/layouts/input-layout.js";
import type { Draft } from "../../src/backends/engine/passes/draft.js";
import type { PassName, PassOptions } from "../../src/backends/engine/passes/pass.js";
import { verifyDraft } from "../../src/backends/engine/passes/verify.js";
import { type Plan, planOf } from "../../src/backends/engine/plan/plan.js";
import { Outcomes } from "../../src/backends/engine/plan/planned.js";
import { drawsRandom } from "../../src/backends/engine/plan/runs/draws.js";
import { checkProgram } from "../../src/language/check/statements/program.js";
import { defaultNesting, parseProgram } from "../../src/language/syntax/parse.js";
import { parseTensor } from "../../src/program/inputs/inputs.js";
import { problem } from "../../src/program/messages.js";

/** What came of the passes of a plan, by their names, each verified; what came of contract and share is one draft, by the name of the latter. */
export function draftsFor(
  text: string,
  inputs: Readonly<Record<string, string>>,
  omitted: readonly PassName[] = [],
): ReadonlyMap<PassName, Draft> {
  const drafts = new Map<PassName, Draft>();
  const watch = (name: PassName, draft: Draft): void => {
    verifyDraft(draft);
    drafts.set(name, draft);
  };
  planFor(text, inputs, new Outcomes(), { omitted, watch });
  return drafts;
}

/** The plan of a program as it is written, not optimised, for inputs as text, as far as some outcomes go. */
export function planFor(
  text: string,
  inputs: Readonly<Record<string, string>> = {},
  outcomes: Outcomes = new Outcomes(),
  passes: PassOptions = {},
): Plan {
  const checked = checkedOnce(text);
  const work = planOf(checked.results, {
    layoutOf: (name) => {
      const value = inputs[name];
      return value === undefined ? undefined : layoutOf(name, parseTensor(value), false);
    },
    defaultOf: ({ name, span, type }) =>
      checked.declared.get(name)?.value ?? {
        kind: "refused",
        problems: [problem("input/missing", span, { name, type })],
      },
    hasDrawnDefault: [...checked.declared].some(
      ([name, { value }]) => inputs[name] === undefined && value !== undefined && drawsRandom(value),
    ),
    outcomes,
    allow: () => {},
    allowProduced: () => {},
    passes,
  });
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** Outcomes are of nodes, so that a program that is planned again must have the same ones. */
const programs = new Map<string, ReturnType<typeof checkProgram>>();

function checkedOnce(text: string): ReturnType<typeof checkProgram> {
  const { tree, problems } = parseProgram({ name: "test", text }, defaultNesting);
  if (tree === undefined || problems.length > 0) throw new Error(`${text} does not parse`);
  const options = { dialect: "formalism", inputs: new Map(), cells: 1e6, expansions: 1e6 } as const;
  const checked = programs.get(text) ?? checkProgram(tree, options);
  programs.set(text, checked);
  return checked;
}
