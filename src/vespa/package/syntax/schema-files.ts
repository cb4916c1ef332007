import type { Source } from "../../../language/source/span.js";
import { type ParsedSchema, parseSchema } from "./parse.js";

/**
 * Schema files and files of rank profiles as they were last read, by their names: for who reads a package again after each change,
 * and asks for the statements of a file besides. A file whose text is as it was is not read again.
 */
export class SchemaFiles {
  private readonly files = new Map<string, ParsedSchema>();

  /** What is in a file. All spans are of the source in it, which has the name and text of this one. */
  parse(source: Source): ParsedSchema {
    const last = this.files.get(source.name);
    if (last?.source.text === source.text) return last;
    const file = parseSchema(source);
    this.files.set(source.name, file);
    return file;
  }
}
