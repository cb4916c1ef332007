import type { DuckDBBlobVector, DuckDBDataChunk, DuckDBVector } from "@duckdb/node-api";
import type { ResultColumns } from "../../backends/sql/rows/reading.js";

/** What is used of the package to read an answer. */
interface VectorPackage
  extends Pick<typeof import("@duckdb/node-api"), "DuckDBVarCharVector" | "JSDuckDBValueConverter"> {
  readonly DuckDBBlobVector: { readonly prototype: BlobMethods };
}

/** Versions of the package before 1.5.5 copy the bytes. */
type BlobMethods = Pick<DuckDBBlobVector, "getItem"> & Partial<Pick<DuckDBBlobVector, "getItemBytes">>;

/** The columns of an answer, of which there are so many, from its chunks of rows. */
export const columnsOfChunks = (
  library: VectorPackage,
  count: number,
  chunks: readonly DuckDBDataChunk[],
): ResultColumns => Array.from({ length: count }, (_, position) => columnOf(library, position, chunks));

function columnOf(
  library: VectorPackage,
  position: number,
  chunks: readonly DuckDBDataChunk[],
): readonly unknown[] {
  const { DuckDBVarCharVector, JSDuckDBValueConverter: converter } = library;
  const bytesAt = bytesReader(library);
  // To the decoder of the package U+FEFF at the beginning of a text is the mark of a file, which it drops.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const column: unknown[] = [];
  for (const chunk of chunks) {
    const vector = chunk.getColumnVector(position);
    if (!(vector instanceof DuckDBVarCharVector)) {
      chunk.visitColumnValues(position, (value, _row, _column, type) =>
        column.push(converter(value, type, converter)),
      );
      continue;
    }
    for (let row = 0; row < vector.itemCount; row++) {
      const bytes = bytesAt(vector, row);
      column.push(bytes === undefined ? null : decoder.decode(bytes));
    }
  }
  return column;
}

/** Reads the bytes of a text; nothing of NULL. Texts are stored as blobs are, and of these alone the package shows the bytes. */
function bytesReader({
  DuckDBBlobVector,
}: VectorPackage): (texts: DuckDBVector, row: number) => Uint8Array | undefined {
  const { getItem, getItemBytes } = DuckDBBlobVector.prototype;
  const asBlobs = (texts: DuckDBVector): DuckDBBlobVector => texts as unknown as DuckDBBlobVector; // as said above
  return getItemBytes === undefined
    ? (texts, row) => getItem.call(asBlobs(texts), row)?.bytes
    : (texts, row) => getItemBytes.call(asBlobs(texts), row) ?? undefined;
}
