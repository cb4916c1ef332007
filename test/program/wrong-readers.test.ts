import { describe, expect, test } from "vitest";
import { compile, SphexError } from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

/** Readers of callers without types, which return something else than a file has. */

const returning = (value: unknown): never => (() => value) as never;
const promised = <T>(value: T): PromiseLike<T> => Promise.resolve(value);

const fileOf = (name: string): string => `constant w: tensor(x[2]) = file("${name}")\nw`;
const texts = fileOf("w.txt");
const bytes = fileOf("w.npy");
const archive = 'constant w: tensor(x[2]) = file("w.npz").w\nw';

describe("are refused where the program names the file", () => {
  test.each([
    [null],
    [undefined],
    [5],
    [new Uint8Array(3)],
    [promised("[1,2]")],
    [{}],
  ])("readFile: %o", (value) => {
    expect(codesOf(() => compile(texts, { readFile: returning(value) }))).toEqual(["file/unreadable"]);
  });

  test.each([
    [null],
    [undefined],
    ["[1,2]"],
    [new ArrayBuffer(8)],
    [new DataView(new ArrayBuffer(8))],
    [[1, 2]],
    [promised(new Uint8Array())],
  ])("readBytes: %o", (value) => {
    for (const text of [texts, bytes, archive])
      expect(codesOf(() => compile(text, { readBytes: returning(value) }))).toEqual(["file/unreadable"]);
  });
});

test("are told of the function that awaits promises", () => {
  try {
    compile(texts, { readFile: returning(promised("[1,2]")) });
    expect.fail("it is no text");
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    expect(error.problems[0]?.message).toBe(
      "w.txt cannot be read: readFile returned a promise, which compileAsync awaits, and must return a text",
    );
  }
});
