import { parsePart } from "../../formats/json/parse.js";
import type { JsonValue } from "../../formats/json/value.js";
import { escapeHidden, type Problem, type Source, SphexError } from "../../index.js";
import { type ExpectedInSetup, problem } from "./messages.js";

/**
 * A program of the playground: cells from the top to the bottom, each a remark in Markdown, or an expression that may have
 * a name. The playground keeps it as JSON with names of one letter: `{"f":[{"op":"c","p":{"t":…}},
 * {"op":"e","p":{"n":…,"e":…}}]}`.
 */
export type Cell = Remark | Formula;

export interface Remark {
  readonly kind: "remark";
  readonly text: string;
}

export interface Formula {
  readonly kind: "formula";
  /** Any text, `query(q)` for one; empty where there is no name. */
  readonly name: string;
  readonly expression: string;
}

/** The JSON of a program, on one line or indented. */
export function setupText(cells: readonly Cell[], indent = 0): string {
  return escapeHidden(JSON.stringify({ f: cells.map(frameOf) }, null, indent));
}

/** A cell as the JSON has it. */
export function frameOf(cell: Cell): object {
  return cell.kind === "remark"
    ? { op: "c", p: { t: cell.text } }
    : { op: "e", p: { n: cell.name, e: cell.expression } };
}

/**
 * The program that a JSON text is, however it is laid out.
 * @throws SphexError with all that is wrong with it.
 */
export function readSetup(source: Source): readonly Cell[] {
  return read(source, "$", (program, faults) => {
    const frames = program.member("f");
    if (frames?.kind === "array") return [...frames.items()].flatMap((frame) => cellOf(frame, faults));
    return faults.add(program, ["f"], "cells");
  });
}

/**
 * The cell that a JSON text is, with the name that messages have for it.
 * @throws SphexError with all that is wrong with it.
 */
export const readFrame = (source: Source, name: string): readonly Cell[] => read(source, name, cellOf);

function read(
  source: Source,
  name: string,
  cellsOf: (value: JsonValue, faults: Faults) => readonly Cell[],
): readonly Cell[] {
  const { tree, problems } = parsePart({ source, start: 0, end: source.text.length }, name);
  if (tree === undefined) {
    const path = name === "$" ? undefined : name;
    throw new SphexError(problems.map((each) => ofSetup(each, path)));
  }
  const faults = new Faults();
  const cells = cellsOf(tree, faults);
  if (faults.problems.length > 0) throw new SphexError(faults.problems);
  return cells;
}

/** What is wrong with the syntax of a program is told as something wrong with a program. */
function ofSetup(found: Problem, path: string | undefined): Problem {
  if (found.code !== "json/syntax") return found;
  const { found: text, expected } = found.values;
  const values = { path, found: { kind: "text", text }, expected: { kind: "JSON", expected } } as const;
  return problem("playground/json", found.span, values);
}

/** The cell of a frame; none after a complaint. */
function cellOf(frame: JsonValue, faults: Faults): readonly Cell[] {
  const textAt = (key: string, missing?: string): string | undefined => {
    const value = frame.member("p")?.member(key);
    const text = value === undefined || value.kind === "null" ? missing : value.string;
    if (text === undefined) faults.add(frame, ["p", key], "text");
    return text;
  };
  const op = frame.member("op")?.string;
  if (op === "c") {
    const text = textAt("t");
    return text === undefined ? [] : [{ kind: "remark", text }];
  }
  if (op === "e") {
    const [name, expression] = [textAt("n", ""), textAt("e")];
    return name === undefined || expression === undefined ? [] : [{ kind: "formula", name, expression }];
  }
  return faults.add(frame, ["op"], "op");
}

/** What is wrong with the JSON of a program. */
class Faults {
  readonly problems: Problem[] = [];

  /** Says that something else must be at these keys in a value. */
  add(value: JsonValue, keys: readonly string[], expected: ExpectedInSetup): [] {
    let found: JsonValue | undefined = value;
    let { span } = value;
    for (const key of keys) {
      found = found?.member(key);
      span = found?.span ?? span;
    }
    const path = value.pathTo(...keys);
    this.problems.push(
      problem("playground/json", span, { path, found: { kind: "value", value: found }, expected }),
    );
    return [];
  }
}
