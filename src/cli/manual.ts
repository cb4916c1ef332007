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

/** A text in which nothing means anything to `man`. */
const escaped = (text: string): string =>
  text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq").replace(/^[.']/gm, "\\&$&");
