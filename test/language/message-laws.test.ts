import fc from "fast-check";
import { expect, test } from "vitest";
import { check } from "../../src/index.js";
import { holds } from "../chance.js";
import { accidents } from "./accidents.js";
import { expressions, programs } from "./fuzz-texts.js";
import { brokenLaws } from "./message-laws.js";

/** Laws of messages, on programs that chance has spoiled: some hundreds here, and 10^5 by `npm run messages`. */

const texts = [...expressions, ...programs.filter(({ length }) => length < 600)];

test("messages keep their laws, whatever the text", () => {
  holds(
    fc.property(accidents(texts), (text) => {
      expect(brokenLaws(text)).toEqual([]);
    }),
    400,
  );
});

test("the laws find what breaks them", () => {
  expect(brokenLaws("softmx")).toEqual([]);
  expect(brokenLaws("sum(tensor(x[2]):[1,2], y)")).toEqual([]);
});

const closed = expressions.filter((text) => /[)\]}]$/.test(text) && !text.includes("\n"));

test("after a bracket that nothing closes the rest is still read", () => {
  expect(closed.length).toBeGreaterThan(15);
  for (const text of closed) {
    const codes = check(`before = ${text.slice(0, -1)}\nbehind = missing_name + 1\n`).map(
      ({ code, span }) => `${code} ${span.source.text.slice(span.start, span.end)}`,
    );
    expect(codes, text).toContain("name/unknown missing_name");
  }
});
