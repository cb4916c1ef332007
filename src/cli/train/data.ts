import { type InputValues, type Program, readNpz, readTrainingTable, type Tensor } from "../../index.js";
import { readTrainingParquet } from "../../models.js";
import { bytesAt, sourceAt } from "../files/sources.js";
import { arrayIn, settingsOf } from "../options/settings.js";
import type { Io } from "../terminal/io.js";

/** What variables learn from: the inputs in a file. */

/** The format of data that know the inputs of a program by name, by the end of the file's name. */
export const dataFormatOf = (path: string) =>
  ([".csv", ".parquet", ".npz"] as const).find((end) => path.toLowerCase().endsWith(end));

/** The inputs in a file: a table, an archive of arrays by name, or an object of names and values in JSON. */
export async function dataAt(path: string, program: Program, io: Io): Promise<InputValues> {
  const format = dataFormatOf(path);
  if (format === undefined) return await settingsOf({ inputs: path }, io);
  if (format === ".npz") return await arraysAt(path, program, io);
  if (format === ".csv") return readTrainingTable(await sourceAt(path, io), program.inputs);
  return readTrainingParquet(await bytesAt(path, io), program.inputs, { name: path });
}

/**
 * The inputs in a file that nothing is learnt from, beside the values of `--set`, which hold for them as for the data; what has items has
 * those of the file.
 */
export async function validationAt(
  path: string,
  program: Program,
  set: InputValues,
  io: Io,
): Promise<InputValues> {
  const own = await dataAt(path, program, io);
  const hasItems = (name: string): boolean => {
    const type = program.inputs.get(name);
    return type !== undefined && !(type.isDense && type.isBound);
  };
  const common = Object.entries(set).filter(([name]) => !(Object.hasOwn(own, name) && hasItems(name)));
  return { ...own, ...Object.fromEntries(common) };
}

/** The inputs without labels that an archive has an array for, with the axes of their declarations; at least one. */
async function arraysAt(path: string, program: Program, io: Io): Promise<InputValues> {
  const bytes = await bytesAt(path, io);
  const arrays = [...program.inputs].flatMap(([name, type]) =>
    type.isDense ? [{ name: path, array: name, type, axes: program.axes(name) }] : [],
  );
  const found: [string, Tensor][] = [];
  for (const each of arrays) {
    const tensor = await arrayIn(bytes, each);
    if (tensor !== undefined) found.push([each.array, tensor]);
  }
  const last = arrays.at(-1);
  if (last !== undefined && found.length === 0) await readNpz(bytes, last); // throws the problem
  return Object.fromEntries(found);
}
