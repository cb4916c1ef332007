import type { Command, Option } from "commander";

/** The manual page, in the language of `man`: made from the commands, so that it has what `--help` prints. */
export function manualPage(sphex: Command): string {
  const sections = [
    ["NAME", `sphex \\- ${escaped("the named-tensor expression language: a command and a REPL")}`],
    [
      "SYNOPSIS",
      ".B sphex\n[\\fIoptions\\fR] [\\fIcommand\\fR]\n.br\n.B sphex\n[\\fIoptions\\fR] \\fIFILE\\fR or \\fIEXPRESSION\\fR",
    ],
    ["DESCRIPTION", escaped(sphex.description())],
    ["COMMANDS", sphex.commands.map(commandText).join("\n")],
    ["SEE ALSO", escaped("sphex help NAME prints what a word of the language is.")],
  ];
  return `.TH SPHEX 1\n${sections.map(([title, text]) => `.SH ${title}\n${text}\n`).join("")}`;
}

const commandText = (each: Command): string =>
  [
    `.SS "sphex ${escaped(each.name())} ${escaped(each.usage())}"`,
    escaped(each.description()),
    ...each.options.map(optionText),
  ].join("\n");

const optionText = ({ flags, description }: Option): string =>
  `.TP\n.B ${escaped(flags)}\n${escaped(description)}`;

/** The tables of README.md: all commands, and the options that several of them have. */
export function readmeTables(sphex: Command): string {
  const { commands } = sphex;
  const rows = commands.map((each) => [
    `\`sphex ${[each.name(), argumentsOf(each)].join(" ").trim()}\``,
    each.description().replaceAll("*", "\\*"),
  ]);
  const options = new Map<string, { readonly description: string; readonly of: string[] }>();
  for (const each of commands)
    for (const { flags, description } of each.options) {
      const described = options.get(flags) ?? { description, of: [] };
      options.set(flags, { ...described, of: [...described.of, each.name()] });
    }
  const shared = [...options].filter(([, { of }]) => of.length >= fewestCommands);
  return [
    table(["command", "does"], rows),
    table(
      ["option", "of", "does"],
      shared.map(([flags, { of, description }]) => [`\`${flags}\``, of.join(", "), description]),
    ),
  ].join("\n\n");
}

/** How a command is called, without its options. */
const argumentsOf = (command: Command): string =>
  (command.usage().split("\n")[0] ?? "").replace("[options]", "").trim();

/** Options that fewer commands have stand in the help of these. */
const fewestCommands = 4;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");

/** A text in which nothing means anything to `man`. */
const escaped = (text: string): string =>
  text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq").replace(/^[.']/gm, "\\&$&");
