import type { Disagreement } from "./disagreement.js";
import { within } from "./expression.js";
import { type Program, sourceOf } from "./program.js";
import type { Reference } from "./reference.js";
import { valueIndexOf } from "./runs.js";

/** A disagreement as people read it, and as a line of test/cases where it can be one. */
export function caseText(program: Program, { run }: Disagreement, reference: Reference): string {
  const present = run === "lacking" ? program.inputs.slice(1) : program.inputs;
  const source = sourceOf(program).replaceAll("\n", " ⏎ ");
  const inputs = present.map(({ name, values }) => `${name} = \`${values[valueIndexOf(run)]}\``);
  if (run === "assigned")
    for (const { name, assigned } of program.definitions)
      if (assigned !== undefined) inputs.push(`${name} assigned \`${assigned}\``);
  const dialect = reference.dialect === "vespa" ? ", vespa" : "";
  const outcome = reference.outcome(run);
  const expected =
    outcome.kind === "values"
      ? `\`${outcome.values.slice(0, reference.results).join("` and `")}\``
      : outcome.kind === "problems"
        ? `problem \`${outcome.codes}\``
        : outcome.message;
  return `- \`${source}\`${inputs.length === 0 ? "" : ` with ${inputs.join("; ")}`}${dialect} → ${expected}`;
}

/** What tells one class of disagreements from others: the forms that it takes, and how it shows. */
export function signatureOf(program: Program, { kind, message }: Disagreement): string {
  // Where it broke, and what it reported, says more than what the program is made of.
  if (kind === "crash")
    return `crash: ${message
      .replace(/\(\S+\)|\d+/g, "")
      .split(" at ")
      .slice(0, 4)
      .join(" at ")}`;
  if (kind === "problems") return `problems: ${message.replace(/ \(run \d+\)/, "")}`;
  const forms = new Set<string>();
  for (const expression of [...program.results, ...program.definitions.map(({ body }) => body)])
    for (const { form } of within(expression)) forms.add(form);
  for (const plain of ["name", "number", "lambda", "selector", "cell", "filled", "one cell", "empty"])
    forms.delete(plain);
  return `${kind}: ${[...forms].sort().join(", ")}`;
}
