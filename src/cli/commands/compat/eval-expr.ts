import type { Command } from "commander";
import { thrownText } from "../../../language/source/thrown.js";
import { Interactive, linkTo, setupText, Variables } from "../../../vespa/compat/compat.js";
import { jsonRepl } from "../../compat/json-repl.js";
import { isContent, typedLines } from "../../compat/typed-lines.js";
import { readText } from "../../files/files.js";
import { libraryOptions } from "../../options/options.js";
import { exit, writeProblems } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

/** What the exit codes of `vespa-eval-expr` mean; they are not those of our other commands. */
const exitCodes = { fine: exit.fine, usage: 1, tooMany: 2, error: 3 } as const;

const mostExpressions = 26;

/** `sphex eval-expr …`: what `vespa-eval-expr` does, with the same arguments, in dialect vespa. */
export function addEvalExpr(program: Command, io: Io, finish: (code: number) => void): void {
  const command = program
    .command("eval-expr")
    .description("do what vespa-eval-expr does, with its arguments, scripts and exit codes")
    .usage(
      "[--verbose] EXPR…\n       sphex eval-expr interactive [SCRIPT [convert|link]]\n       sphex eval-expr json-repl",
    )
    .argument("[words...]", "expressions, which are called a to z; or a mode and its arguments")
    .option("--verbose", "print the steps of each evaluation to stderr")
    .allowUnknownOption() // an expression may begin with -
    .addHelpText("after", example);
  command.action(async (words: readonly string[], { verbose = false }: { readonly verbose?: boolean }) => {
    if (words.length === 0) {
      await write(io.stderr, command.helpInformation());
      return finish(exitCodes.usage);
    }
    finish(await new EvalExpr(io, verbose).run(words));
  });
}

class EvalExpr {
  private readonly variables = new Variables(() => libraryOptions({ dialect: "vespa" }));
  private readonly interactive: Interactive;

  constructor(
    private readonly io: Io,
    private readonly verbose: boolean,
  ) {
    this.interactive = new Interactive(this.variables, {
      out: (text) => write(io.stdout, text),
      err: (text) => write(io.stderr, text),
      problems: (problems) => writeProblems(problems, io),
    });
  }

  async run(words: readonly string[]): Promise<number> {
    const [mode, script, form] = words;
    if (words.length > mostExpressions) {
      await write(
        this.io.stderr,
        `error: too many expressions: ${words.length} (max is ${mostExpressions})\n`,
      );
      return exitCodes.tooMany;
    }
    if (words.length === 1 && mode === "json-repl") return await this.jsonRepl();
    if (words.length <= 2 && mode === "interactive") return await this.interact(script);
    if (
      words.length === 3 &&
      mode === "interactive" &&
      script !== undefined &&
      (form === "convert" || form === "link")
    )
      return await this.collect(script, form);
    return await this.expressions(words);
  }

  /** A single value has no name. */
  private async expressions(words: readonly string[]): Promise<number> {
    this.interactive.verbose = this.verbose;
    for (const [at, expression] of words.entries()) {
      const name = words.length === 1 ? "" : String.fromCharCode("a".charCodeAt(0) + at);
      if (!(await this.interactive.evaluate(name, expression))) return exitCodes.error;
    }
    return exitCodes.fine;
  }

  private async jsonRepl(): Promise<number> {
    const end = await jsonRepl(this.variables, this.io.stdin, this.io.stdout);
    if (end === "end") return exitCodes.fine;
    await write(this.io.stderr, "error: this is not JSON\n");
    return exitCodes.error;
  }

  /** The lines of a script, if there is one, and then those of stdin. */
  private async interact(script?: string): Promise<number> {
    if (script !== undefined && (await this.runScript(script)) === "exit") return exitCodes.fine;
    const { io } = this;
    const { lines, whileRunning } = await typedLines(io.stdin, io.stdout, io.isTTY.stdin);
    for await (const line of lines) {
      if (!isContent(line)) continue;
      const controller = new AbortController();
      const outcome = this.interactive.take(line, controller.signal);
      if ((await whileRunning(() => controller.abort(), outcome)) === "exit") break;
    }
    return exitCodes.fine;
  }

  /** Runs the lines of a script, which are echoed like typed ones, unless they begin with `##`. */
  private async runScript(script: string): Promise<"more" | "exit" | "unread"> {
    let text: string;
    try {
      text = readText(script, this.io.cwd);
    } catch (error) {
      const reason = thrownText(error);
      await write(this.io.stderr, `warning: could not read script: ${script}: ${reason}\n`);
      return "unread";
    }
    for (const line of text.split(/\r?\n/).filter(isContent)) {
      if (!line.startsWith("##")) await write(this.io.stdout, `> ${line}\n`);
      if ((await this.interactive.take(line)) === "exit") return "exit";
    }
    return "more";
  }

  /** The script as a program of the playground: its JSON, or a link to it. */
  private async collect(script: string, form: "convert" | "link"): Promise<number> {
    const isRead = (await this.runScript(script)) !== "unread";
    const { cells, hindrance = isRead ? undefined : "there is no script" } = this.interactive;
    if (hindrance !== undefined) {
      await write(this.io.stderr, `conversion failed: ${hindrance}\n`);
      return exitCodes.error;
    }
    await write(this.io.stdout, `${form === "link" ? await linkTo(cells) : setupText(cells, 4)}\n`);
    return exitCodes.fine;
  }
}

const example = `
Without a mode each expression is evaluated and may use the values of those before it. interactive reads commands, of
which help is one, from a script and then from stdin; with convert or link it prints the script as a program of the
playground. json-repl answers {"expr", "name"?, "verbose"?}, or a list of such, with {"result", "steps"?} or {"error"}.

Exit codes: 1 called wrongly, 2 more than ${mostExpressions} expressions, 3 an expression without a value.

Example:
  $ sphex eval-expr 2+2 a+2 a+b
  a: 4
  b: 6
  c: 10`;
