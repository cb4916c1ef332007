import {
  dialects,
  escapeHidden,
  format,
  formatNames,
  type NotFinite,
  nearest,
  nearestTopic,
  offeredCells,
  type Plan,
  parseAddress,
  renderText,
  SphexError,
  searchTopics,
  showExplanation,
  showNotFinite,
  showPlan,
  showWhy,
  type Tensor,
  topics,
  topicText,
} from "../index.js";
import { wrapped } from "../language/source/columns.js";
import { thrownText } from "../language/source/thrown.js";
import { signsOf } from "../service/service.js";
import type { CommandContext } from "./command-context.js";
import { functionHelp } from "./completion/function-help.js";
import { formulasText } from "./formulas.js";
import { inputRows, inputsText } from "./inputs.js";
import { EarlierValues } from "./memory/earlier-values.js";
import { isEarlier } from "./memory/last-result.js";
import { expressionText, savedText } from "./memory/saved-session.js";
import type { Outcome, Reply } from "./reply.js";
import { asWritten } from "./terminal/file-paths.js";

/** The commands, which begin with a dot: one row each, which `.help` prints. */
interface Command {
  /** The argument, as `.help` shows it. */
  readonly argument?: string;
  readonly description: string;
  readonly reply: (session: CommandContext, rest: string) => Outcome;
  /** What may follow the name, for completion. */
  readonly completions?: CompletionKind;
}

/** A list of words, or a kind that depends on the session and its files. */
export type CompletionKind = readonly string[] | "expression" | "file" | "input";

// biome-ignore format: a table
const commands: Readonly<Record<string, Command>> = {
  help:    { argument: "[NAME]",         completions: "expression", description: "this, as ? is; or what a function, operator, cell type, statement or command is, as ?NAME", reply: (session, rest) => helpOn(session, rest.trim()) },
  type:    { argument: "EXPR",           completions: "expression", description: "the type of an expression", reply: (session, rest) => session.types(rest) },
  explain: { argument: "EXPR",           completions: "expression", description: "what an expression is made of, with sizes, ranges and times; with --plan how it is computed", reply: explain },
  why:     { argument: "EXPR{x:a,y:2}",  completions: "expression", description: "which cells made a cell of an expression; with --nan where the first NaN came from", reply: why },
  expand:  { argument: "EXPR",           completions: "expression", description: "an expression in core functions: map, join, reduce", reply: expand },
  plot:    { argument: "EXPR",           completions: "expression", description: "a picture of an expression of one or two dimensions", reply: plot },
  load:    { argument: "FILE",           completions: "file",       description: "enters the statements of a file", reply: load },
  save:    { argument: "FILE",           completions: "file",       description: "writes names and values as a program", reply: save },
  inputs:  { description: "the inputs, with their types and values", reply: (session) => answer(inputsText(session.memory, session.width)) },
  lazy:    { description: "the named values, with their formulas and whether they are computed", reply: (session) => answer(formulasText(session.memory, session.width)) },
  value:   { argument: "NAME",           completions: "expression", description: "the formula of a name, and its value", reply: formulaValue },
  set:     { argument: "NAME = LITERAL", completions: "input",      description: "the value of an input: .set q = tensor(x[2]):[1,2]", reply: set },
  undo:    { description: "takes back the latest definition, .set or .clear", reply: (session) => undo(session) },
  clear:   { argument: "[NAME]",         completions: "input",      description: "forgets a name and its value, or all of them", reply: (session, rest) => clear(session, rest.trim()) },
  mode:    { argument: "NAME",           completions: formatNames,  description: `how values are shown: ${formatNames.join(", ")}`, reply: mode },
  dialect: { argument: "NAME",           completions: dialects,     description: "formalism, or vespa, which refuses what Vespa lacks", reply: dialect },
  portable: { description: "what was entered that Vespa lacks", reply: portable },
  timer:   { argument: "on|off",         completions: ["on", "off"], description: "whether to say how long a line took", reply: timer },
  editor:  { description: "what was entered last, in $EDITOR", reply: (session) => session.edit() ?? refusal("there is no terminal for an editor") },
  exit:    { description: "leaves, as Ctrl-D does", reply: () => ({ text: "", kind: "exit" }) },
};

export const commandNames: readonly string[] = Object.keys(commands);

export function completionsOf(name: string): CompletionKind {
  return commandNamed(name)?.completions ?? [];
}

/** Runs a line such as `.type a + b`, `?` or `?sum`. */
export function command(session: CommandContext, line: string): Outcome {
  if (!line.startsWith(".")) return helpOn(session, line.replaceAll("?", "").trim());
  const [, name = "", rest = ""] = /^\.(\w*)\s*([\s\S]*)$/.exec(line) ?? [];
  const entry = commandNamed(name);
  if (entry !== undefined) return entry.reply(session, rest);
  const guess = nearest(name, commandNames);
  return refusal(
    `there is no .${name}${guess === undefined ? "; .help lists what there is" : `: did you mean .${guess}?`}`,
  );
}

const commandNamed = (name: string): Command | undefined =>
  Object.hasOwn(commands, name) ? commands[name] : undefined;
const answer = (text: string): Reply => ({ text, kind: "answer" });
const refusal = (text: string): Reply => ({ text: escapeHidden(text), kind: "problem" });

function load(session: CommandContext, path: string): Outcome {
  if (path === "") return refusal("write .load FILE");
  return fileFailure(`cannot read ${path}`, () => session.read(path)) ?? session.load(path);
}

function save(session: CommandContext, path: string): Reply {
  if (path === "") return refusal("write .save FILE");
  const values = inputRows(session.memory).flatMap(({ name, value }) =>
    value === undefined ? [] : ([[name, value]] as const),
  );
  const { values: all } = session.memory;
  const results = all.tensors.flatMap(([name, tensor]) =>
    isEarlier(name) ? [{ name, tensor, enteredAs: all.get(name)?.enteredAs }] : [],
  );
  const text = savedText({
    statements: session.memory.definitions.texts,
    remarks: session.memory.definitions.remarks,
    values: new Map(values),
    results,
  });
  const written = asWritten({ name: path, text });
  return fileFailure(`cannot write ${path}`, () => session.write(path, written.text)) ?? answer("");
}

/** Why a file could not be read or written, if it could not. */
function fileFailure(what: string, act: () => void): Reply | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return refusal(`${what}: ${thrownText(error)}`);
  }
}

function explain(session: CommandContext, text: string): Outcome {
  const earlier = new EarlierValues(session.memory.values);
  const expression = /^--plan(?:\s+|$)([\s\S]*)/.exec(text)?.[1];
  if (expression !== undefined)
    return session.inspect(expression, (program, values) => ({
      now: () => program.plan(values),
      later: async () => program.plan(values),
      show: (plan: Plan) => showPlan(plan, { width: session.columns }),
    }));
  return session.inspect(text, (program, values) => ({
    now: () => program.explain(values),
    later: (options) => program.explainAsync(values, options),
    show: (result) => showExplanation(earlier.explanation(result), { width: session.columns }),
  }));
}

function expand(session: CommandContext, text: string): Outcome {
  return session.inspect(text, (program) => ({
    now: () => program.primitive(),
    later: async () => program.primitive(),
    show: (text: string) => format({ name: "expanded", text }, session.columns).text?.trimEnd() ?? text,
  }));
}

function plot(session: CommandContext, text: string): Outcome {
  // The prompt needs a line of the screen, too.
  const height = session.rows === undefined ? undefined : session.rows - 1;
  const picture = { title: text, width: session.columns, height, colour: session.inColour };
  return ofValue(session, text, (tensor) => renderText(tensor, picture));
}

/** What is made of the value of an expression. */
const ofValue = (session: CommandContext, expression: string, show: (value: Tensor) => string): Outcome =>
  session.inspect(expression, (program, values) => ({
    now: () => program.run(values),
    later: (options) => program.runAsync(values, options),
    show,
  }));

/** Braces at the end are the address of a cell; an expression that itself ends with braces needs a pair of its own. */
function why(session: CommandContext, text: string): Outcome {
  const earlier = new EarlierValues(session.memory.values);
  const nan = /^--nan(?:\s+|$)([\s\S]*)/.exec(text)?.[1];
  if (nan !== undefined)
    return session.inspect(nan, (program, values) => ({
      now: () => program.whyNotFinite(values),
      later: async () => program.whyNotFinite(values),
      show: (found: NotFinite) => showNotFinite(earlier.notFinite(found), { width: session.columns }),
    }));
  const { expression, address } = cellOf(text);
  if (address === "" && text !== "" && hasDimensions(session, expression))
    return ofValue(session, expression, (tensor) => {
      const cells = offeredCells(tensor, (cell) => `.why ${expression}{${cell}}`);
      return `name a cell:\n${cells}`;
    });
  return session.inspect(expression, (program, values) => ({
    now: () => program.why(parseAddress(address), values),
    later: async (options) => await program.whyAsync(parseAddress(address), values, options),
    show: (result) => showWhy(earlier.why(result), { width: session.columns }),
  }));
}

/** Whether an expression is of a tensor with dimensions. */
function hasDimensions(session: CommandContext, expression: string): boolean {
  const { kind, text } = session.types(expression);
  return kind === "answer" && !text.endsWith("()");
}

function cellOf(text: string): { readonly expression: string; readonly address: string } {
  const signs = signsOf(text);
  const start = signs.lastIndexOf("{");
  const expression = text.slice(0, Math.max(start, 0)).trimEnd();
  const isCell = start > 0 && signs.indexOf("}", start) === text.length - 1;
  if (!isCell || expression === "" || expression.endsWith(":")) return { expression: text, address: "" };
  return { expression, address: text.slice(start + 1, -1) };
}

function set(session: CommandContext, rest: string): Outcome {
  const at = rest.indexOf("=");
  const name = rest.slice(0, Math.max(at, 0)).trim();
  if (name === "") return refusal("write .set NAME = LITERAL");
  const value = rest.slice(at + 1).trim();
  if (value.startsWith("@")) return setFrom(session, name, value.slice(1));
  try {
    session.set(name, value);
    return answer("");
  } catch (error) {
    const isExpression = error instanceof SphexError && session.types(value).kind === "answer";
    if (!isExpression) throw error;
    return setComputed(session, name, value);
  }
}

/** The value that an expression has now. */
const setComputed = (session: CommandContext, name: string, expression: string): Outcome =>
  ofValue(session, expression, (tensor) => {
    session.set(name, tensor);
    return "";
  });

/** A literal in a file. */
function setFrom(session: CommandContext, name: string, path: string): Reply {
  let text = "";
  const failure = fileFailure(`cannot read ${path}`, () => (text = session.read(path).trim()));
  if (failure !== undefined) return failure;
  session.set(name, text);
  return answer("");
}

function mode(session: CommandContext, name: string): Reply {
  if (name === "") return answer(session.format);
  const format = formatNames.find((each) => each === name);
  if (format === undefined) return refusal(noSuch("mode", name, formatNames));
  session.format = format;
  return answer("");
}

function dialect(session: CommandContext, name: string): Reply {
  if (name === "") return answer(session.dialect);
  const chosen = dialects.find((each) => each === name);
  if (chosen === undefined) return refusal(noSuch("dialect", name, dialects));
  session.dialect = chosen;
  return answer("");
}

function portable({ portability, width }: CommandContext): Reply {
  const { lines } = portability;
  if (lines.length === 0) return answer("Vespa has all that was entered");
  return answer(lines.flatMap((each) => wrapped(each, width, 2)).join("\n"));
}

function timer(session: CommandContext, state: string): Reply {
  if (state === "") return answer(session.timing ? "on" : "off");
  if (state !== "on" && state !== "off") return refusal("write .timer on or .timer off");
  session.timing = state === "on";
  return answer("");
}

function noSuch(kind: string, name: string, names: readonly string[]): string {
  const guess = nearest(name, names);
  const others = `: it is one of ${names.join(", ")}`;
  return `there is no ${kind} ${name}${guess === undefined ? others : `: did you mean ${guess}?`}`;
}

function formulaValue(session: CommandContext, name: string): Outcome {
  if (name === "") return refusal("write .value NAME");
  const isFunction = session.memory.definitions.functions.has(name);
  const others = isFunction
    ? `${name} is a function: .help ${name} shows it`
    : `${name} is no name with a formula; .lazy lists them`;
  return session.value(name) ?? refusal(others);
}

function undo(session: CommandContext): Reply {
  const names = session.memory.undo();
  if (names === undefined) return refusal("there is nothing to take back");
  const { definitions, values } = session.memory;
  const earlier = new EarlierValues(values);
  const texts = new Map(definitions.texts);
  const setting = (name: string): string => {
    const tensor = values.tensor(name);
    return tensor === undefined ? `${name} is no longer defined` : `${name} = ${expressionText(tensor)}`;
  };
  const text = (name: string): string => earlier.text(texts.get(name) ?? setting(name));
  return answer(names.map(text).join("\n"));
}

/** A name that others need stays: the problem says which. */
function clear(session: CommandContext, name: string): Reply {
  if (name === "") session.memory.clear();
  else if (!session.memory.forget(name)) return refusal(`there is nothing called ${name}`);
  return answer("");
}

/** All commands, or what one word is: of the session, of the language, or a command. */
function helpOn(session: CommandContext, word: string): Reply {
  if (word === "") return answer(help(session.width));
  const own = session.memory.definitions.functions.has(word) ? functionHelp(word, session.memory) : undefined;
  const topic = topics().get(word);
  const name = word.replace(/^\./, "");
  const entry = commandNamed(name);
  const texts = [
    own ?? (topic && topicText(topic, session.width)),
    entry && [`.${name} ${entry.argument ?? ""}`.trimEnd(), `  ${entry.description}`].join("\n"),
  ].filter((each) => each !== undefined);
  if (texts.length > 0) return answer(texts.join("\n\n"));
  const guess = nearestTopic(word) ?? nearest(word, commandNames);
  const others = guess === undefined ? searchTopics(word).map(({ name }) => name) : [guess];
  return refusal(
    `there is no help on ${word}${others.length === 0 ? "" : `: did you mean ${others.join(", ")}?`}`,
  );
}

function help(width: number): string {
  const rows = Object.entries(commands).flatMap(([name, { argument, description }]) => {
    const head = `  .${name} ${argument ?? ""}`;
    if (width < 2 * indent)
      return [head.trimEnd(), ...wrapped(description, width - 4, 0).map((line) => `    ${line}`)];
    const [first = "", ...more] = wrapped(description, width - indent, 0);
    return [head.padEnd(indent) + first, ...more.map((line) => " ".repeat(indent) + line)];
  });
  return [...wrapped(introduction, Math.min(width, 100), 0), ...rows].join("\n");
}

/** Where the sentences of the commands begin; in a terminal with less room than that for them they stand below. */
const indent = 24;

const introduction =
  "An expression prints its value, which is then called _. A name or function is defined with =, an input, constant, " +
  "variable or persistent tensor as in a program; to define a name again replaces it. A name stands for its formula: it is " +
  "computed when it is first asked for, and again when something that it reads has changed; total = total + 1 takes what total " +
  "was. A statement goes on in the next " +
  "line while a bracket is open or an operator ends the line. Tab completes names; behind a function's ( it says what " +
  "it takes. Ctrl-C cancels what is running.";
