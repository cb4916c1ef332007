import { Dictionary, Int32, Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import { expect, test } from "vitest";
import { columnsOfArrow } from "../../src/sql/drivers/arrow-stream.js";

/** Streams of Arrow that another writer has made. */

const columnsOf = (columns: Readonly<Record<string, unknown>>): unknown[][] =>
  columnsOfArrow(tableToIPC(new Table(columns as never), "stream")); // its types are those of each column

test("whole numbers with signs and without are themselves", () => {
  const columns = {
    a: vectorFromArray(Uint8Array.of(200, 1)),
    b: vectorFromArray(Uint16Array.of(60_000, 2)),
    c: vectorFromArray(Uint32Array.of(4_000_000_000, 3)),
    d: vectorFromArray(BigUint64Array.of(2n ** 63n + 2048n, 4n)),
    e: vectorFromArray(Int16Array.of(-200, 5)),
    f: vectorFromArray(BigInt64Array.of(-5n, 6n)),
  };
  expect(columnsOf(columns)).toEqual([
    [200, 1],
    [60_000, 2],
    [4_000_000_000, 3],
    [2 ** 63 + 2048, 4],
    [-200, 5],
    [-5, 6],
  ]);
});

test("codes that stand for texts are refused", () => {
  const codes = vectorFromArray(["x", "y", "x"], new Dictionary(new Utf8(), new Int32()));
  expect(() => columnsOf({ k: codes })).toThrow("dictionaries");
});
