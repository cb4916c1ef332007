import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Program,
  parseJson,
  parseTensor,
  type Session,
  type Tensor,
  type TensorType,
} from "../../index.js";
import { UsageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { holdFile, readNamed, readText, writeFile } from "./files.js";

/** The version of the form of such files. */
const version = 1;

/**
 * A session whose tensors are those of a file, and in the file again when the work is done: all of them, or none if it throws. The file
 * is held all the while, so that two runs at once cannot both begin with the same tensors.
 */
export async function withStateFile<T>(
  path: string,
  program: Program,
  io: Io,
  work: (session: Session, save: () => void) => Promise<T>,
): Promise<T> {
  const release = holdFile(path, io.cwd);
  try {
    const session = sessionAt(path, program, io);
    const save = (): void => writeFile(path, stateText(session), io.cwd);
    const result = await work(session, save);
    save();
    return result;
  } finally {
    release();
  }
}

/** A session whose tensors are those of a file, if there is one. */
export function sessionAt(path: string, program: Program, io: Io): Session {
  const session = program.session();
  if (!existsSync(resolve(io.cwd, path))) return session;
  const texts = stateIn(path, io);
  session.assign(texts);
  for (const [name, text] of Object.entries(texts))
    requireSizes(parseTensor(text), session.types.get(name), `${path}: ${name}`);
  return session;
}

/** The texts of tensors, by their names. */
function stateIn(path: string, io: Io): Record<string, string> {
  const { tree, problems } = parseJson({ name: path, text: readNamed(path, io, readText) });
  const tensors = tree?.member("tensors");
  const refuse = (): never => {
    throw new UsageError(`${path} is no state that sphex has written`);
  };
  if (problems.length > 0 || tensors?.kind !== "object" || tree?.member("sphex")?.string !== "state")
    return refuse();
  if (tree.member("version")?.number !== version)
    throw new UsageError(`${path} was written by another version of sphex`);
  return Object.fromEntries(
    Array.from(tensors.entries(), ([name, value]) => [name, value.string ?? refuse()]),
  );
}

/** An input of fewer cells is filled with zeros; of a state these would be cells that no run has made. */
function requireSizes({ type }: Tensor, declared: TensorType | undefined, name: string): void {
  const isOther = type.indexed.some(({ name, size }) => {
    const own = declared?.dimension(name)?.size;
    return own !== undefined && size !== undefined && size < own;
  });
  if (isOther) throw new UsageError(`${name} has the type ${type}, and the program declares ${declared}`);
}

function stateText(session: Session): string {
  const tensors = Object.fromEntries([...session.types.keys()].map((name) => [name, `${session.get(name)}`]));
  return `${JSON.stringify({ sphex: "state", version, tensors }, undefined, 2)}\n`;
}
