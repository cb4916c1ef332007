/** What the reader needs of the library that knows Parquet, without its parts for queries, servers and files; and of those that unpack. */

export { Inflate } from "fflate";
export { Decompress } from "fzstd";
export { parquetHeader } from "hyparquet/src/column.js";
export { convert, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
export { deltaBinaryUnpack } from "hyparquet/src/delta.js";
export { byteStreamSplit } from "hyparquet/src/encoding.js";
export { parquetMetadata, parquetSchema } from "hyparquet/src/metadata.js";
export { readPlain } from "hyparquet/src/plain.js";
export { snappyUncompress } from "hyparquet/src/snappy.js";
