import type { Command } from "commander";
import {
  type Dialect,
  escapeHidden,
  evaluate,
  type InputValue,
  type JsonValue,
  parseJson,
  SphexError,
  visibleJson,
} from "../../../index.js";
import { thrownText } from "../../../language/source/thrown.js";
import {
  type CommonFlags,
  engineOptions,
  libraryOptions,
  runOptions,
  withOptions,
} from "../../options/options.js";
import { type TensorJson, tensorJson } from "../../options/output.js";
import { repeatedName } from "../../options/repeated-name.js";
import { exit } from "../../terminal/failure.js";
import { byteLinesOf, type Io, textOfLine, write } from "../../terminal/io.js";

/**
 * `sphex batch`: JSON lines in, JSON lines out, one expression each, in the same order and as they come. A line that
 * cannot be understood is answered like an expression that fails, and the next one is read.
 */
export function addBatch(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("batch"), [...runOptions, ...engineOptions])
    .description("evaluate one expression for each JSON line of stdin")
    .addHelpText("after", example)
    .action(async (flags: CommonFlags) => {
      for await (const line of byteLinesOf(io.stdin)) {
        const answered = answer(line, flags);
        if (answered !== undefined) await write(io.stdout, `${answered}\n`);
      }
      finish(exit.fine);
    });
}

interface Case {
  readonly expr: string;
  readonly vars: Readonly<Record<string, InputValue>>;
  readonly dialect?: Dialect;
  readonly backend?: "reference";
}

type Answer = TensorJson | { readonly error: Failure };

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** A line that is no case. */
class LineError extends Error {}

/** The id stands in the answer as it was written: a number keeps all of its digits. A blank line has none. */
function answer(bytes: Uint8Array, flags: CommonFlags): string | undefined {
  let id = "null";
  let line = "";
  let result: Answer;
  try {
    line = lineIn(bytes);
    if (line.trim() === "") return undefined;
    const data = objectOf(line);
    id = data.member("id")?.written ?? id;
    const { expr, vars, ...own } = caseOf(data);
    const options = libraryOptions({ ...flags, ...own });
    result = tensorJson(evaluate(expr, vars, options));
  } catch (error) {
    result = { error: failureOf(error, line) };
  }
  return `{"id":${escapeHidden(id)},${visibleJson(result).slice(1)}`;
}

function lineIn(bytes: Uint8Array): string {
  try {
    return textOfLine(bytes);
  } catch (error) {
    throw new LineError(thrownText(error));
  }
}

function failureOf(error: unknown, line: string): Failure {
  const [first] = error instanceof SphexError ? error.problems : [];
  if (first !== undefined) {
    return { code: first.code, message: first.message, start: first.span.start, end: first.span.end };
  }
  const code = error instanceof LineError ? "batch/line" : "batch/internal";
  return { code, message: thrownText(error), start: 0, end: line.length };
}

function objectOf(line: string): JsonValue {
  const { tree, problems } = parseJson({ name: "line", text: line });
  const [fault] = problems;
  if (fault !== undefined) throw new LineError(`${fault.message} (column ${fault.position.column})`);
  if (tree?.kind !== "object") throw new LineError("a line must be a JSON object");
  requireOnce(tree);
  return tree;
}

function requireOnce(object: JsonValue): void {
  const name = repeatedName(object);
  if (name !== undefined) throw new LineError(`${JSON.stringify(name)} is there twice`);
}

function caseOf(data: JsonValue): Case {
  const expr = data.member("expr")?.string;
  if (expr === undefined) throw new LineError('"expr" must be a text');
  const vars = data.member("vars");
  if (vars !== undefined && vars.kind !== "object")
    throw new LineError('"vars" must be an object of names and values');
  if (vars !== undefined) requireOnce(vars);
  const values = Array.from(vars?.entries() ?? [], ([name, value]) => [name, inputOf(name, value)] as const);
  const backend = data.member("backend");
  if (backend !== undefined && backend.string !== "reference")
    throw new LineError('"backend" must be "reference"');
  const dialect = data.member("dialect");
  const base = {
    expr,
    vars: Object.fromEntries(values),
    ...(backend === undefined ? {} : { backend: "reference" as const }),
  };
  if (dialect === undefined) return base;
  if (dialect.string !== "formalism" && dialect.string !== "vespa")
    throw new LineError('"dialect" must be "formalism" or "vespa"');
  return { ...base, dialect: dialect.string };
}

function inputOf(name: string, value: JsonValue): InputValue {
  const text = value.member("string")?.string;
  const input = value.string ?? value.number ?? (text === undefined ? undefined : { string: text });
  if (input !== undefined) return input;
  throw new LineError(`the value of ${JSON.stringify(name)} must be a literal, a number or {"string": text}`);
}

const example = `
A line is {"id", "expr", "vars": {name: literal, number or {"string": text}}, "dialect"?, "backend": "reference"?}. Its answer is
{"id", "type", "value", "cells"}, or {"id", "error": {"code", "message", "start", "end"}}.

Example:
  $ echo '{"id": 1, "expr": "a + 1", "vars": {"a": 2}}' | sphex batch
  {"id":1,"type":"tensor()","value":"tensor():{3.0}","cells":[[{},3]]}`;
