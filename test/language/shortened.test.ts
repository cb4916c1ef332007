import { expect, test } from "vitest";
import { beginningOf, shortened, shortenedWithin } from "../../src/language/source/message.js";

/** Of a character of two code units, no text that is cut has half. */
const faces = "😀".repeat(40);

test("a beginning ends between two characters", () => {
  expect(beginningOf("ab😀c", 2)).toBe("ab");
  expect(beginningOf("ab😀c", 3)).toBe("ab");
  expect(beginningOf("ab😀c", 4)).toBe("ab😀");
  expect(beginningOf("ab😀", 9)).toBe("ab😀");
});

test("a long text is cut between two characters, at both of its ends", () => {
  expect(shortened(faces)).toBe(`${"😀".repeat(18)}…`);
  expect(shortened("a".repeat(40))).toBe("a".repeat(40));
  expect(shortened("a".repeat(41))).toBe(`${"a".repeat(37)}…`);
  expect(shortenedWithin(`a${faces}b`)).toBe(`a${"😀".repeat(14)} … ${"😀".repeat(12)}b`);
  expect(shortenedWithin("a".repeat(61))).toBe(`${"a".repeat(30)} … ${"a".repeat(26)}`);
});
