import type { Command } from "commander";
import { format, type Program } from "../../../index.js";
import { type CommonFlags, withOptions } from "../../options/options.js";
import { displayOptions, type Inspection, inspect, subjectDescription } from "../../program/inspect.js";
import type { Io } from "../../terminal/io.js";

/** `sphex expand EXPR`: results as expressions of the core functions alone. */
export function addExpand(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("expand"), ["set", "inputs", "reading", "json", "dialect"])
    .description("print an expression in core functions: map, join, reduce and so on")
    .argument("<what>", subjectDescription)
    .addHelpText("after", example)
    .action(async (what: string, flags: CommonFlags) =>
      finish(await inspect(what, flags, io, (program) => expansion(program, displayOptions(io).width))),
    );
}

function expansion(program: Program, width: number | undefined): Inspection {
  if (program.results.length === 0) program.primitive(); // throws the problem
  const results = program.results.map(({ type, name }, result) => ({
    ...(name === undefined ? {} : { name }),
    type,
    primitive: program.primitive({ result }),
  }));
  return { data: { results }, text: () => results.map(formatted).join("\n") };

  /** At a terminal within its width, and otherwise in one line. */
  function formatted({ primitive }: { readonly primitive: string }): string {
    if (width === undefined) return primitive;
    return format({ name: "expanded", text: primitive }, width).text?.trimEnd() ?? primitive;
  }
}

const example = `
The expression printed has the same value, in any program that declares the same inputs; only what is random is
drawn anew.

Example:
  $ sphex expand 'softmax(q, x)' --set 'q=tensor(x[2]):[1,2]'
  join(map(q, f(a)(exp(a))), reduce(map(q, f(a)(exp(a))), sum, x), f(a,b)(a / b))`;
