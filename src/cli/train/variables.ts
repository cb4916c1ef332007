import { type Program, type Session, visibleJson, writeNpzOf } from "../../index.js";
import { writeFile } from "../files/files.js";
import type { CommonFlags } from "../options/options.js";
import { UsageError } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";

/** What training has made of the variables, printed or in a file. */

/** The most cells of a variable that is printed whole. */
const mostCells = 1000;

/** What training has made of the variables, where no file keeps it. */
export async function printVariables(
  names: readonly string[],
  session: Session,
  { json }: Pick<CommonFlags, "json">,
  io: Io,
): Promise<void> {
  const texts = names.map((name) => {
    const tensor = session.get(name);
    const { length: cells } = tensor.data;
    const isShort = json === true || cells <= mostCells;
    return [name, isShort ? `${tensor}` : `${tensor.type} of ${cells} cells, which --out writes`] as const;
  });
  const lines = texts.map(([name, text]) => `${name} = ${text}\n`).join("");
  await write(
    io.stdout,
    json === true ? `${visibleJson({ variables: Object.fromEntries(texts) })}\n` : lines,
  );
}

const isArchive = (path: string): boolean => path.toLowerCase().endsWith(".npz");

/** Archives of arrays have no labels, which is better told before training than after it. */
export function refuseLabels(path: string | undefined, { variables }: Program): void {
  if (path === undefined || !isArchive(path)) return;
  const labelled = [...variables].flatMap(([name, type]) => (type.isDense ? [] : [name]));
  if (labelled.length > 0)
    throw new UsageError(
      `--out ${path}: an .npz file has no labels, which ${labelled.join(", ")} ${labelled.length === 1 ? "has" : "have"}: write --out to another file, which is JSON`,
    );
}

/** Writes the variables to a file: an archive of arrays, or JSON that `--inputs` reads. */
export async function writeVariables(
  path: string,
  program: Program,
  session: Session,
  io: Io,
): Promise<void> {
  const names = [...program.variables.keys()];
  const tensors = Object.fromEntries(names.map((name) => [name, session.get(name)]));
  const axes = Object.fromEntries(names.map((name) => [name, program.axes(name)]));
  if (isArchive(path)) return writeFile(path, await writeNpzOf(tensors, { axes }), io.cwd);
  const texts = Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, `${tensor}`]));
  writeFile(path, `${visibleJson(texts)}\n`, io.cwd);
}
