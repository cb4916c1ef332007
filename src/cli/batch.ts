import type { Command } from "commander";
import { type Dialect, evaluate, type InputValue, SphexError } from "../index.js";
import { exit } from "./failure.js";
import { type Io, linesOf, write } from "./io.js";
import { type Given, libraryOptions, machinery, running, withOptions } from "./options.js";
import { type TensorJson, tensorJson } from "./output.js";

/**
 * `sphex batch`: JSON lines in, JSON lines out, one expression each, in the same order and as they come. A line that
 * cannot be understood is answered like an expression that fails, and the next one is read.
 */
export function addBatch(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("batch"), [...running, ...machinery])
    .description("evaluate one expression for each JSON line of stdin")
    .addHelpText("after", example)
    .action(async (given: Given) => {
      for await (const line of linesOf(io.stdin)) {
        if (line.trim() !== "") await write(io.stdout, `${JSON.stringify(answer(line, given))}\n`);
      }
      finish(exit.fine);
    });
}

interface Case {
  readonly expr: string;
  readonly vars: Readonly<Record<string, InputValue>>;
  readonly dialect?: Dialect;
}

type Answer = { readonly id: unknown } & (TensorJson | { readonly error: Failure });

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** A line that is no case. */
class LineError extends Error {}

function answer(line: string, given: Given): Answer {
  let id: unknown = null;
  try {
    const data = objectOf(line);
    id = data.id ?? null;
    const { expr, vars, dialect } = caseOf(data);
    const options = libraryOptions(dialect === undefined ? given : { ...given, dialect });
    return { id, ...tensorJson(evaluate(expr, vars, options)) };
  } catch (error) {
    return { id, error: failureOf(error, line) };
  }
}

function failureOf(error: unknown, line: string): Failure {
  const [first] = error instanceof SphexError ? error.problems : [];
  if (first !== undefined) {
    return { code: first.code, message: first.message, start: first.span.start, end: first.span.end };
  }
  const code = error instanceof LineError ? "batch/line" : "batch/internal";
  return { code, message: error instanceof Error ? error.message : `${error}`, start: 0, end: line.length };
}

type Data = Readonly<Record<string, unknown>>;

function objectOf(line: string): Data {
  const data = parsed(line);
  if (!isObject(data)) throw new LineError("a line must be a JSON object");
  return data;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new LineError(`this line is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function isObject(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function caseOf({ expr, vars = {}, dialect, backend }: Data): Case {
  if (typeof expr !== "string") throw new LineError('"expr" must be a text');
  if (!isObject(vars)) throw new LineError('"vars" must be an object of names and values');
  const wrong = Object.keys(vars).find((name) => !isValue(vars[name]));
  if (wrong !== undefined) {
    throw new LineError(
      `the value of ${JSON.stringify(wrong)} must be a literal, a number or {"string": text}`,
    );
  }
  if (backend !== undefined && backend !== "reference") throw new LineError('"backend" must be "reference"');
  const values = vars as Case["vars"]; // each was looked at
  if (dialect === undefined) return { expr, vars: values };
  if (dialect !== "formalism" && dialect !== "vespa")
    throw new LineError('"dialect" must be "formalism" or "vespa"');
  return { expr, vars: values, dialect };
}

function isValue(value: unknown): boolean {
  return (
    typeof value === "string" ||
    typeof value === "number" ||
    (isObject(value) && typeof value.string === "string")
  );
}

const example = `
A line is {"id", "expr", "vars": {name: literal, number or {"string": text}}, "dialect"?}. Its answer is
{"id", "type", "value", "cells"}, or {"id", "error": {"code", "message", "start", "end"}}.

Example:
  $ echo '{"id": 1, "expr": "a + 1", "vars": {"a": 2}}' | sphex batch
  {"id":1,"type":"tensor()","value":"tensor():{3.0}","cells":[[{},3]]}`;
