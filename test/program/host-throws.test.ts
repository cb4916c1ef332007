import { expect, it } from "vitest";
import { compile, type HostFunction, SphexError } from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

/** A function of the host may throw anything, and return what throws when it is looked at. */

const throwing = (thrown: unknown) => (): never => {
  throw thrown;
};

const late = throwing(new Error("late"));

it.each<[string, HostFunction["call"]]>([
  ["an object that has no text", throwing(Object.create(null))],
  ["one whose text fails", throwing({ toString: late })],
  ["an error whose message is none", throwing(Object.assign(new Error("x"), { message: Symbol("y") }))],
  ["nothing", throwing(null)],
  ["a symbol", throwing(Symbol("s"))],
  ["a bigint", throwing(5n)],
  ["from a getter of what it returns", () => new Proxy({}, { has: () => true, get: late }) as never],
  ["from the keys of what it returns", () => new Proxy({}, { ownKeys: late }) as never],
])("%s becomes a problem of the call", async (_, call) => {
  const odd: HostFunction = { parameters: [], returns: "tensor(k{})", call };
  const program = compile("odd()", { functions: { odd } });
  expect(codesOf(() => program.run())).toEqual(["function/failed"]);
  await expect(program.runAsync()).rejects.toThrow("function/failed");
  await expect(program.runAsync()).rejects.toBeInstanceOf(SphexError);
});
