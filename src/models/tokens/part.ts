import type { JsonReader } from "../json-reader.js";

/** A part of the file, of one of several kinds that its `type` names, as what it does. */
export type ReadPart<T> = (part: JsonReader) => T;

/** Reads a part by the table of its kinds. */
export const readerOf =
  <T>(what: string, kinds: Readonly<Record<string, ReadPart<T>>>): ReadPart<T> =>
  (part) => {
    const type = part.at("type").text;
    const read = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    if (read === undefined)
      throw new Error(
        `its ${what} is a ${type}, which is not read; those that are: ${Object.keys(kinds).join(", ")}`,
      );
    return read(part);
  };
