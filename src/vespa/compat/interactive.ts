import { type Problem, SphexError } from "../../index.js";
import type { Cell } from "./playground.js";
import { general } from "./printf.js";
import { shownValue, typeName } from "./spec.js";
import { stepsText } from "./steps.js";
import type { Variables } from "./variables.js";

/** Where the interactive mode writes. */
export interface Ends {
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => Promise<void>;
  readonly problems: (problems: readonly Problem[]) => Promise<void>;
}

/**
 * The commands of `vespa-eval-expr interactive`, a line each. What the lines say is also collected as cells of the
 * playground, with the first reason why they could not be a program of it.
 */
export class Interactive {
  readonly cells: Cell[] = [];
  /** Why the lines are no program of the playground. */
  hindrance: string | undefined;
  verbose = false;

  constructor(
    private readonly variables: Variables,
    private readonly ends: Ends,
  ) {}

  /** Takes a line; tells whether it was the last. */
  async take(line: string, signal?: AbortSignal): Promise<"more" | "exit"> {
    if (line === "exit") return "exit";
    if (line.startsWith("#")) this.remark(line.slice(1));
    else if (line === "help") await this.ends.out(helpText);
    else if (line === "list") await this.list();
    else if (line.startsWith("verbose ")) await this.setVerbose(line.slice("verbose ".length));
    else if (line.startsWith("undef ")) await this.forget(line.slice("undef ".length));
    else if (line.startsWith("def ")) await this.define(line.slice("def ".length), signal);
    else await this.evaluate("", line, signal);
    return "more";
  }

  /** The value of an expression, shown with its name and kept; an empty name is none. Tells whether there is one. */
  async evaluate(name: string, expression: string, signal?: AbortSignal): Promise<boolean> {
    const arrow = name === "" ? "" : ` -> '${name}'`;
    if (this.verbose) await this.ends.err(`eval '${expression}'${arrow}\n`);
    this.cells.push({ kind: "formula", name, expression });
    try {
      const tensor = await this.variables.evaluate(expression, {}, signal);
      if (this.verbose) await this.tellSteps(name, expression);
      await this.ends.out(`${name === "" ? "" : `${name}: `}${shownValue(tensor)}\n`);
      if (name !== "" && this.variables.set(name, tensor)) this.hindrance ??= `${name} is defined twice`;
      return true;
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      this.hindrance ??= `an expression has no value: ${expression}`;
      await this.ends.problems(error.problems);
      return false;
    }
  }

  private remark(text: string): void {
    if (!text.startsWith("#")) this.cells.push({ kind: "remark", text });
  }

  private async list(): Promise<void> {
    for (const [name, { type }] of this.variables.entries)
      await this.ends.out(`  ${name}: ${typeName(type)}\n`);
  }

  private async setVerbose(flag: string): Promise<void> {
    if (flag !== "true" && flag !== "false") {
      return await this.ends.err(`bad flag specifier: '${flag}', must be 'true' or 'false'\n`);
    }
    this.verbose = flag === "true";
    await this.ends.out(`verbose set to ${flag}\n`);
  }

  private async forget(name: string): Promise<void> {
    const isGone = this.variables.delete(name);
    await this.ends.out(isGone ? `removed value '${name}'\n` : `value not found: '${name}'\n`);
    this.hindrance ??= `undef ${name}: cells are never forgotten`;
  }

  private async define(text: string, signal?: AbortSignal): Promise<void> {
    const at = text.indexOf(" ");
    if (at > 0) return void (await this.evaluate(text.slice(0, at), text.slice(at + 1), signal));
    this.hindrance ??= `def ${text} lacks an expression`;
    await this.ends.err(`error: def takes a name and an expression: def ${at < 0 ? text : "name"} 2+2\n`);
  }

  private async tellSteps(name: string, expression: string): Promise<void> {
    const title = name === "" ? "meta-data:" : `meta-data(${name}):`;
    await this.ends.err(`${title}\n${stepsText(this.variables.explain(expression), general)}`);
  }
}

const helpText = `  'def <name> <expr>'    evaluate an expression and give its value a name
  'undef <name>'         forget a named value
  'list'                 the names, with the types of their values
  'verbose true|false'   whether the steps of each evaluation are told
  'help'                 this list
  'exit'                 the end
  '<expr>'               evaluate an expression
`;
