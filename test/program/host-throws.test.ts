import { expect, it } from "vitest";
import { backendNames, compile, type HostFunction, SphexError } from "../../src/index.js";
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

it.each([
  ...backendNames,
])("a function that fails when its run has ended is no matter, by %s", async (backend) => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown): void => void unheard.push(reason);
  process.on("unhandledRejection", hear);
  let fail = (): void => undefined;
  const call = (): Promise<number> =>
    new Promise((_, reject) => {
      fail = () => reject(new Error("too late"));
    });
  const late: HostFunction = { parameters: [], returns: "tensor()", call };
  const program = compile("late() + 1", { functions: { late }, backend });
  const controller = new AbortController();
  const endings = [
    { signal: controller.signal, progress: () => controller.abort() },
    {
      progress: () => {
        throw new Error("of the host");
      },
    },
  ];
  for (const options of endings) {
    await expect(program.runAsync({}, options)).rejects.toThrow();
    fail();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  process.off("unhandledRejection", hear);
  expect(unheard).toEqual([]);
});
