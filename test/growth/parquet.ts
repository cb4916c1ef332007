/** Small writers of Parquet files, of numbers that are there in every row, as large and in as many pieces as a measure needs. */

type Write = (bytes: number[]) => void;

const all =
  (...writes: readonly Write[]): Write =>
  (bytes) => {
    for (const write of writes) write(bytes);
  };

const variable =
  (value: number): Write =>
  (bytes) => {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };

/** What Thrift's compact protocol has of each kind: its number, and its bytes. */
interface Value {
  readonly kind: number;
  readonly write: Write;
}

const whole = (value: number): Value => ({ kind: 6, write: variable(2 * value) });
const short = (value: number): Value => ({ kind: 5, write: variable(2 * value) });
const text = (value: string): Value => ({
  kind: 8,
  write: all(variable(value.length), (bytes) => {
    for (const sign of value) bytes.push(sign.charCodeAt(0));
  }),
});
const list = (kind: number, values: readonly Value[]): Value => ({
  kind: 9,
  write: all(
    (bytes) => void bytes.push(0xf0 + kind),
    variable(values.length),
    ...values.map((value) => value.write),
  ),
});

/** Fields by their numbers, in order. */
const struct = (fields: Readonly<Record<number, Value>>): Value => ({
  kind: 12,
  write: (bytes) => {
    let last = 0;
    for (const [key, { kind, write }] of Object.entries(fields)) {
      bytes.push((Number(key) - last) * 16 + kind);
      last = Number(key);
      write(bytes);
    }
    bytes.push(0);
  },
});

const double = 5;
const magic: Write = (bytes) => void bytes.push(0x50, 0x41, 0x52, 0x31);

/** Zeros in columns, in groups of rows, in pages. */
export function parquetOf(
  columns: readonly string[],
  groups: number,
  pages: number,
  rows: number,
): Uint8Array {
  const bytes: number[] = [];
  magic(bytes);
  const chunkOf = (name: string): Value => {
    const offset = bytes.length;
    for (let page = 0; page < pages; page++) {
      const size = short(8 * rows);
      const header = struct({ 1: short(rows), 2: short(0), 3: short(3), 4: short(3) });
      struct({ 1: short(0), 2: size, 3: size, 5: header }).write(bytes);
      for (let at = 0; at < 8 * rows; at++) bytes.push(0);
    }
    const length = whole(bytes.length - offset);
    const content = {
      ...{ 1: short(double), 2: list(5, [short(0)]), 3: list(8, [text(name)]), 4: short(0) },
      ...{ 5: whole(pages * rows), 6: length, 7: length, 9: whole(offset) },
    };
    return struct({ 2: whole(offset), 3: struct(content) });
  };
  const groupOf = (): Value => {
    const start = bytes.length;
    const chunks = columns.map(chunkOf);
    return struct({ 1: list(12, chunks), 2: whole(bytes.length - start), 3: whole(pages * rows) });
  };
  const rowGroups = Array.from({ length: groups }, groupOf);
  const root = struct({ 4: text("root"), 5: short(columns.length) });
  const schema = columns.map((name) => struct({ 1: short(double), 3: short(0), 4: text(name) }));
  const footer = bytes.length;
  struct({
    ...{ 1: short(1), 2: list(12, [root, ...schema]) },
    ...{ 3: whole(groups * pages * rows), 4: list(12, rowGroups) },
  }).write(bytes);
  const size = bytes.length - footer;
  for (let at = 0; at < 4; at++) bytes.push(Math.floor(size / 256 ** at) % 256);
  magic(bytes);
  return Uint8Array.from(bytes);
}

/** A footer of some bytes, and nothing else. */
export function parquetWith(footer: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + footer.length);
  bytes.set([0x50, 0x41, 0x52, 0x31]);
  bytes.set(footer, 4);
  new DataView(bytes.buffer).setUint32(4 + footer.length, footer.length, true);
  bytes.set([0x50, 0x41, 0x52, 0x31], 8 + footer.length);
  return bytes;
}
