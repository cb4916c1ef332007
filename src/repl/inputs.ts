import { parseProgram, type Tensor } from "../index.js";
import { clip } from "../language/source/columns.js";
import { isEarlier, last } from "./memory/last-result.js";
import type { Memory } from "./memory/memory.js";

/** The inputs of a session: those that its statements declare, and those that only have a value. */
export interface InputRow {
  readonly name: string;
  readonly type: string;
  /** The value that was set. */
  readonly value?: Tensor;
  /** Whether the statement has a value for where none is set. */
  readonly hasDefault: boolean;
}

export function inputRows(memory: Memory): readonly InputRow[] {
  const { definitions, values } = memory;
  const declared = [...memory.program("0").inputs].filter(([name]) => definitions.has(name));
  const free = values.tensors.filter(([name]) => !definitions.has(name) && name !== last && !isEarlier(name));
  const texts = new Map(definitions.texts);
  return [
    ...declared.map(([name, type]): InputRow => {
      const setting = values.get(name);
      const value = setting === undefined ? {} : { value: memory.typed(name, setting.value) };
      return { name, type: `${type}`, hasDefault: hasDefault(texts.get(name) ?? ""), ...value };
    }),
    ...free.map(([name, value]): InputRow => ({ name, type: `${value.type}`, hasDefault: false, value })),
  ];
}

function hasDefault(text: string): boolean {
  const [statement] = parseProgram({ name: "input", text }).tree?.statements ?? [];
  return statement?.kind === "declaration" && statement.value !== undefined;
}

/** What `.inputs` prints: a row for each, with as much of its value as fits. */
export function inputsText(memory: Memory, width: number): string {
  const rows = inputRows(memory);
  if (rows.length === 0)
    return "there are no inputs: an input statement declares one, .set gives one a value";
  const names = widest(rows.map(({ name }) => name));
  const types = widest(rows.map(({ type }) => type));
  return rows
    .map((row) => `  ${row.name.padEnd(names)}  ${row.type.padEnd(types)}  ${stateOf(row)}`)
    .map((line) => clip(line, width))
    .join("\n");
}

const widest = (texts: readonly string[]): number =>
  texts.reduce((most, { length }) => Math.max(most, length), 0);

function stateOf({ name, value, hasDefault, type }: InputRow): string {
  if (value !== undefined)
    return `= ${value.type.isScalar ? value.asNumber() : `${value}`.slice(type.length + 1)}`;
  return hasDefault ? "has a default" : `needs a value: .set ${name} = …`;
}
