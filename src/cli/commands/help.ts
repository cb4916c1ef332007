import type { Command } from "commander";
import { nearest, nearestTopic, searchTopics, topics, topicText } from "../../index.js";
import { exit, UsageError } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";

/** `sphex help NAME`: what a word of the language, or a command, is. */
export function addHelp(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command("help")
    .description("print what a function, an operator, a cell type, a statement or a command is")
    .argument("[name]", "a word of the language, or a command")
    .option("--search <words>", "list the words of the language that these describe")
    .addHelpText("after", example)
    .action(async (name: string | undefined, { search }: { readonly search?: string }) => {
      await write(io.stdout, `${helpText(program, name, search, io.columns)}\n`);
      finish(exit.fine);
    });
}

function helpText(
  program: Command,
  name: string | undefined,
  search: string | undefined,
  columns: number | undefined,
): string {
  if (search !== undefined) return found(search);
  if (name === undefined) return program.helpInformation().trimEnd();
  const topic = topics().get(name);
  const command = program.commands.find((each) => each.name() === name);
  const texts = [
    ...(topic === undefined ? [] : [topicText(topic, columns)]),
    ...(command === undefined ? [] : [command.helpInformation().trimEnd()]),
  ];
  if (texts.length > 0) return texts.join("\n\n");
  const names = program.commands.map((each) => each.name());
  const guess = nearestTopic(name) ?? nearest(name, names);
  const others = searchTopics(name).map((each) => each.name);
  const meant = guess === undefined ? others : [guess];
  const hint =
    meant.length === 0
      ? `; sphex help --search '${name}' looks for it`
      : `: did you mean ${meant.join(", ")}?`;
  throw new UsageError(`there is no help on ${name}${hint}`);
}

/** A line for each topic that a query finds. */
function found(query: string): string {
  const all = searchTopics(query);
  if (all.length === 0) throw new UsageError(`nothing has to do with ${query}`);
  const width = all.reduce((widest, { name }) => Math.max(widest, name.length), 0);
  return all.map(({ name, description }) => `${name.padEnd(width)}  ${description}`).join("\n");
}

const example = `
Example:
  $ sphex help sum
  $ sphex help --search 'top k'`;
