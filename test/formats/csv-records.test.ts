import fc from "fast-check";
import { expect, test } from "vitest";
import { Records } from "../../src/formats/csv/records.js";
import { CellColumns } from "../../src/formats/from-cells.js";
import type { Source } from "../../src/language/source/span.js";
import { parseType } from "../../src/program/options.js";
import { holds } from "../chance.js";

/** Records of comma-separated values against a reader that goes sign by sign, and tensors from cells against a plain map. */

/** The fields of each record as RFC 4180 reads them; nothing where a text is not of that form. */
function plainRecords(text: string): string[][] | undefined {
  const records: string[][] = [];
  let record: string[] = [];
  let field = "";
  let state: "start" | "plain" | "quoted" | "closed" = "start";
  let wasQuoted = false;
  const endOfField = (): void => {
    record.push(field);
    field = "";
    state = "start";
  };
  const endOfRecord = (): void => {
    const isEmpty = record.length === 0 && field === "" && !wasQuoted;
    if (isEmpty) return;
    endOfField();
    records.push(record);
    record = [];
    wasQuoted = false;
  };
  for (const sign of text) {
    if (state === "quoted") {
      if (sign === '"') state = "closed";
      else field += sign;
    } else if (sign === '"') {
      if (state === "plain") return undefined;
      if (state === "closed") field += '"';
      wasQuoted = true;
      state = "quoted";
    } else if (sign === ",") endOfField();
    else if (sign === "\n" || sign === "\r") {
      endOfRecord();
      state = "start";
    } else if (state === "closed") return undefined;
    else {
      field += sign;
      state = "plain";
    }
  }
  if (state === "quoted") return undefined;
  endOfRecord();
  return records;
}

test("records are those of a plain reader, and what has none is reported", () => {
  const part = fc.constantFrom("a", "bc", ",", ",", "\n", "\r", "\r\n", '"', '""', '"x"', '","', " ");
  holds(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const source: Source = { name: "a.csv", text };
      let reports = 0;
      const records = new Records(source, () => void reports++);
      const expected = plainRecords(text);
      expect(reports > 0).toBe(expected === undefined);
      if (expected === undefined) return;
      const all = Array.from({ length: records.count }, (_, record) => records.fields(record));
      expect(all.map((fields) => fields.map((field) => field.text))).toEqual(expected);
      for (const [record, fields] of all.entries()) {
        const written = fields.map(({ span }) => text.slice(span.start, span.end));
        const { start, end } = records.span(record);
        expect(text.slice(start, end)).toBe(written.join(","));
      }
    }),
    3000,
  );
});

test("cells in any order make the tensor that has them", () => {
  const cell = fc.record({
    labels: fc.tuple(fc.constantFrom("a", "b", "", "10", "9"), fc.constantFrom("a", "b", "é")),
    indexes: fc.tuple(fc.nat(2), fc.nat(40)),
    value: fc.double(),
  });
  const type = parseType("tensor(k{},l{},x[3],y[])");
  holds(
    fc.property(fc.array(cell, { maxLength: 8 }), (cells) => {
      const columns = new CellColumns(type);
      const expected = new Map<string, number>();
      const repeats: number[] = [];
      for (const [at, { labels, indexes, value }] of cells.entries()) {
        columns.add(labels, indexes, value);
        const key = JSON.stringify([labels, indexes]);
        if (expected.has(key)) repeats.push(at);
        expected.set(key, value);
      }
      const found: number[] = [];
      const tensor = columns.tensor(1000, {
        ofSize: () => expect.fail("too many"),
        ofRepeat: (at) => found.push(at),
      });
      expect(found).toEqual(repeats);
      const rows = new Set(cells.map(({ labels }) => JSON.stringify(labels)));
      const longest = Math.max(0, ...cells.map(({ indexes }) => indexes[1] + 1));
      const sorted = [...rows].map((row): string[] => JSON.parse(row)).sort(byCodeUnits);
      expect(tensor?.labels).toEqual(sorted);
      const numbers = sorted.flatMap((labels) =>
        [0, 1, 2].flatMap((x) =>
          Array.from({ length: longest }, (_, y) => expected.get(JSON.stringify([labels, [x, y]])) ?? 0),
        ),
      );
      expect([...(tensor?.data ?? [])]).toEqual(numbers);
    }),
    300,
  );
});

const byCodeUnits = (left: readonly string[], right: readonly string[]): number => {
  const at = left.findIndex((label, each) => label !== right[each]);
  return at < 0 ? 0 : (left[at] ?? "") < (right[at] ?? "") ? -1 : 1;
};
