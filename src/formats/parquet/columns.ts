import type { Store } from "../../language/limits/spend.js";
import { Bytes, type BytesFile } from "../bytes.js";
import { byLibrary, type Library, type Metadata, type Page, pagesOf } from "./pages.js";
import { skipStructure } from "./structure.js";

/** The columns of a Parquet file, which are read when they are asked for. */
export interface ParquetFile {
  readonly rows: number;
  readonly names: ReadonlySet<string>;
  /** The pages of a column, from the first row to the last. @throws SphexError where they are broken. */
  readonly column: (name: string) => Page[];
  /** The bytes, for what else is wrong with a value. */
  readonly bytes: Bytes;
}

export interface ParquetOptions {
  /** The most rows. */
  readonly most?: number;
  /** Counts the bytes of each column and of each page, before there are any. */
  readonly store?: Store;
}

type RowGroup = Metadata["row_groups"][number];
type ColumnChunk = RowGroup["columns"][number];

/** What a file begins and ends with. */
const sign = 0x31524150;

const mostRows = 50_000_000;

/** Reads what a file says of itself. @throws SphexError where that is broken. */
export async function openParquet(file: BytesFile, options: ParquetOptions = {}): Promise<ParquetFile> {
  const library = await import("./library.js");
  const { most = mostRows, store = () => undefined } = options;
  const bytes = new Bytes(file);
  const { metadata, offset } = footerOf(bytes, library);
  const rows = Number(metadata.num_rows);
  if (!(Number.isInteger(rows) && rows >= 0 && rows <= most))
    bytes.fail(offset, { kind: "rows", count: rows }, { kind: "most rows", count: most });
  const { children } = byLibrary(bytes, offset, "Parquet footer", () => library.parquetSchema(metadata));
  const groups = byLibrary(bytes, offset, "Parquet footer", () => metadata.row_groups.map(groupOf));

  function column(name: string): Page[] {
    const [node, another] = children.filter(({ element }) => element.name === name);
    if (another !== undefined)
      return bytes.fail(offset, { kind: "file", name }, { kind: "own column", name });
    if (node === undefined || node.children.length > 0 || node.element.repetition_type === "REPEATED")
      return bytes.fail(offset, "parts", { kind: "flat column", name });
    store(8 * rows, bytes.span(offset));
    const pages: Page[] = [];
    let read = 0;
    for (const { chunks, rows: ownRows } of groups) {
      const found = chunks.get(name);
      read += ownRows;
      if (found?.meta_data === undefined || found.file_path !== undefined)
        return bytes.fail(offset, "nothing", { kind: "column bytes", name });
      if (!(Number.isInteger(ownRows) && ownRows >= 0 && read <= rows))
        return bytes.fail(offset, { kind: "rows", count: read }, { kind: "same rows", name });
      const chunk = { name, node, metadata: found.meta_data, rows: ownRows };
      for (const page of pagesOf(bytes, chunk, library, store)) pages.push(page);
    }
    if (read !== rows) bytes.fail(offset, { kind: "rows", count: read }, { kind: "same rows", name });
    return pages;
  }

  return { rows, names: new Set(children.map(({ element }) => element.name)), column, bytes };
}

/** A group of rows: its chunks by the name of their column. */
function groupOf({ columns, num_rows }: RowGroup): {
  chunks: ReadonlyMap<string, ColumnChunk>;
  rows: number;
} {
  const named = columns.flatMap((chunk): [string, ColumnChunk][] => {
    const name = chunk.meta_data?.path_in_schema[0];
    return name === undefined ? [] : [[name, chunk]];
  });
  return { chunks: new Map(named), rows: Number(num_rows) };
}

/** The last bytes: what the file says of itself, how long that is, and the sign. */
function footerOf(bytes: Bytes, library: Library): { metadata: Metadata; offset: number } {
  const { view } = bytes;
  const { byteLength } = view;
  const isSigned = byteLength >= 12 && [0, byteLength - 4].every((at) => view.getUint32(at, true) === sign);
  if (!isSigned) bytes.fail(0, byteLength === 0 ? "nothing" : "other sign", "Parquet file");
  const length = view.getUint32(byteLength - 8, true);
  const offset = byteLength - 8 - length;
  if (offset < 4) bytes.fail(byteLength - 8, { kind: "number", value: length }, "Parquet footer");
  bytes.at = offset;
  skipStructure(bytes);
  const footer = bytes.file.bytes.subarray(offset);
  return {
    metadata: byLibrary(bytes, offset, "Parquet footer", () =>
      library.parquetMetadata(footer, { geoparquet: false }),
    ),
    offset,
  };
}
