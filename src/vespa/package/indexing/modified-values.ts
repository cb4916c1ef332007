import type { Span } from "../../../language/source/span.js";
import { partsBetween } from "./parts.js";
import { preservingSteps, steps, writingSteps } from "./steps.js";
import { type ScriptToken, scriptTokens } from "./tokens.js";

/** Steps behind which a value is what it was, as far as Vespa looks. */
const preserving = new Set([...preservingSteps, "get_language"]);

const writing = new Set(writingSteps);

/** Steps that have scripts in them, of which nothing is said. */
const branching = new Set(["guard", "if", "select_input", "switch"]);

/**
 * The step that makes another value of a field of the document before that is written, which Vespa refuses: it stores what was fed.
 * Undefined where there is none.
 */
export function modifyingStep(script: Span, field: string): ScriptToken | undefined {
  for (const statement of partsBetween(";", scriptTokens(script))) {
    let modifying: ScriptToken | undefined;
    for (const step of partsBetween("|", statement)) {
      const [first] = step;
      if (first === undefined || branching.has(first.text)) break;
      if (writing.has(first.text)) {
        if (modifying !== undefined) return modifying;
      } else if (isInput(step, field)) modifying = undefined;
      else if (first.kind === "word" && !Object.hasOwn(steps, first.text)) break;
      else if (!preserving.has(first.text)) modifying = first;
    }
  }
  return undefined;
}

/** `input title` of a field title; that a name is missing is told elsewhere. */
const isInput = ([first, second, ...others]: readonly ScriptToken[], field: string): boolean =>
  first?.text === "input" && others.length === 0 && (second === undefined || second.text === field);
