import { Argument, type Command, type Option } from "commander";
import { exit } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";

/**
 * `sphex completions bash|zsh|fish`: what Tab offers in a shell. The scripts are generated from the commands
 * themselves; whatever is not an option, a command or one of a few words is completed as a file.
 */
export function addCompletions(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command("completions")
    .description("print a script that completes the arguments of sphex in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText("after", example)
    .action(async (shell: Shell) => {
      await write(io.stdout, scripts[shell](commandWords(program)));
      finish(exit.fine);
    });
}

/** The words that may follow the command, or one of its subcommands. */
interface CommandWords {
  /** Nothing for the command itself. */
  readonly command: string;
  readonly description: string;
  readonly options: readonly OptionWords[];
  /** What the arguments may be, where they are a few words. */
  readonly choices: readonly string[];
}

interface OptionWords {
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

function commandWords(program: Command): readonly CommandWords[] {
  return [program, ...program.commands].map((each): CommandWords => {
    return {
      command: each === program ? "" : each.name(),
      description: each.description(),
      options: each.createHelp().visibleOptions(each).map(optionWords),
      choices:
        each === program || each.name() === "help"
          ? program.commands.map((one) => one.name())
          : each.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    };
  });
}

const optionWords = ({ short, long, description, required, optional, argChoices }: Option): OptionWords => ({
  flags: [short, long].flatMap((flag) => flag ?? []),
  description,
  takesValue: required || optional,
  values: argChoices ?? [],
});

const flagsOf = ({ options }: CommandWords): string => options.flatMap(({ flags }) => flags).join(" ");
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(words: readonly CommandWords[]): string {
  const values = words.flatMap(({ command, options }) =>
    options
      .filter((each) => each.values.length > 0)
      .map(({ flags, values }) => {
        const patterns = flags.map((flag) => quoted(`${command} ${flag}`)).join("|");
        return `    ${patterns}) words=${quoted(values.join(" "))} ;;`;
      }),
  );
  const cases = words.map((each) => {
    return `      ${quoted(each.command)}) options=${quoted(flagsOf(each))} words=${quoted(each.choices.join(" "))} ;;`;
  });
  return `# sphex in bash: put  source <(sphex completions bash)  in ~/.bashrc
_sphex() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' options='' words='' each
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $each in ${words.flatMap(({ command }) => command || []).join("|")}) command=$each; break ;; esac
  done
  case "$command $previous" in
${values.join("\n")}
    *) case $command in
${cases.join("\n")}
    esac ;;
  esac
  [[ $current == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _sphex sphex
`;
}

function zsh(words: readonly CommandWords[]): string {
  const text = (description: string): string => description.replace(/[[\]:\\]/g, (sign) => `\\${sign}`);
  const option = ({ flags, description, takesValue, values }: OptionWords): string[] =>
    flags.map((flag) => {
      const value = !takesValue ? "" : values.length > 0 ? `:value:(${values.join(" ")})` : ":value:_files";
      return quoted(`*${flag}[${text(description)}]${value}`);
    });
  const cases = words
    .filter(({ command }) => command !== "")
    .map(({ command, options, choices }) => {
      const rest = choices.length > 0 ? `'1: :(${choices.join(" ")})'` : "'*: :_files'";
      return `    ${command}) _arguments -s ${[...options.flatMap(option), rest].join(" ")} ;;`;
    });
  const commands = words.flatMap(({ command, description }) =>
    command === "" ? [] : [quoted(`${command}:${description.replaceAll(":", "\\:")}`)],
  );
  return `#compdef sphex
# sphex in zsh: put this in a file _sphex in a folder of $fpath, or  source <(sphex completions zsh)  in ~/.zshrc
_sphex() {
  local -a commands=(${commands.join(" ")})
  if (( CURRENT == 2 )); then
    _describe command commands
    _files
    return
  fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
${cases.join("\n")}
    *) _files ;;
  esac
}
if [ "$funcstack[1]" = _sphex ]; then _sphex "$@"; else compdef _sphex sphex; fi
`;
}

function fish(words: readonly CommandWords[]): string {
  const lines = words.flatMap(({ command, description, options, choices }) => {
    const condition = command === "" ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${command}`;
    const start = `complete -c sphex -n ${quoted(condition)}`;
    return [
      ...(command === ""
        ? []
        : [`complete -c sphex -n __fish_use_subcommand -a ${command} -d ${quoted(description)}`]),
      ...(command === "" || choices.length === 0 ? [] : [`${start} -f -a ${quoted(choices.join(" "))}`]),
      ...options.map(({ flags, description, takesValue, values }) => {
        const names = flags.map((flag) =>
          flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        );
        const value = values.length > 0 ? ` -x -a ${quoted(values.join(" "))}` : takesValue ? " -r" : "";
        return `${start} ${names.join(" ")}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# sphex in fish: sphex completions fish > ~/.config/fish/completions/sphex.fish\n${lines.join("\n")}\n`;
}

const scripts = { bash, zsh, fish };
type Shell = keyof typeof scripts;
const shells = Object.keys(scripts);

const example = `
Example:
  $ source <(sphex completions bash)`;
