import { Problem, type Source, SphexError } from "../../index.js";

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
  return JSON.stringify({ f: cells.map(frameOf) }, null, indent);
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
  const faults = new Faults(source);
  const data = faults.parsed();
  const cells: Cell[] = [];
  if (data !== undefined) {
    const frames = fieldOf(data, "f");
    if (!Array.isArray(frames)) faults.add("f", frames, "a list of cells");
    else for (const [at, frame] of frames.entries()) cells.push(...cellOf(frame, `f[${at}]`, faults));
  }
  faults.throwAny();
  return cells;
}

/** The cell of a frame; none after a complaint. */
export function cellOf(frame: unknown, path: string, faults: Faults): readonly Cell[] {
  const op = fieldOf(frame, "op");
  const parameters = fieldOf(frame, "p");
  const textAt = (name: string, missing?: string): string | undefined => {
    const value = fieldOf(parameters, name) ?? missing;
    if (typeof value === "string") return value;
    faults.add(`${path}.p.${name}`, value, "a text");
    return undefined;
  };
  if (op === "c") {
    const text = textAt("t");
    return text === undefined ? [] : [{ kind: "remark", text }];
  }
  if (op === "e") {
    const [name, expression] = [textAt("n", ""), textAt("e")];
    return name === undefined || expression === undefined ? [] : [{ kind: "formula", name, expression }];
  }
  faults.add(`${path}.op`, op, '"c" for a remark or "e" for an expression');
  return [];
}

/** What is wrong with a text that should be the JSON of a program. */
export class Faults {
  private readonly problems: Problem[] = [];

  constructor(private readonly source: Source) {}

  parsed(): unknown {
    try {
      return JSON.parse(this.source.text);
    } catch {
      this.add("the text", undefined, "JSON");
      return undefined;
    }
  }

  add(path: string, value: unknown, wanted: string): void {
    const span = { source: this.source, start: 0, end: this.source.text.length };
    const found = value === undefined ? "nothing like it" : brief(JSON.stringify(value));
    this.problems.push(new Problem("playground/json", { path, found, wanted }, span));
  }

  throwAny(): void {
    if (this.problems.length > 0) throw new SphexError(this.problems);
  }
}

const brief = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** A field of an object; nothing of anything else, nor of what every object has. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
