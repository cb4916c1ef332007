import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, test, vi } from "vitest";
import { EvaluationError, Evaluators } from "../../src/cli/compat/evaluators.js";
import { linesOf, readAll, readAllBytes } from "../../src/cli/terminal/io.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";

/** Threads that evaluate, here with a module that does on request what must not be: it hangs, it ends, it fills its memory. */
const folder = temporaryFolder();
const bounds = { expressions: 10, cells: 10, characters: 1000, time: 50 };
const never = new AbortController().signal;
const acts = `
  exports.answerRequests = (port) => {
    const reply = (text) => port.postMessage({ body: new TextEncoder().encode(text) });
    let wanted = true;
    port.on("message", (request) => {
      if (request === "abort") return void (wanted || reply("aborted"));
      wanted = request.json !== "wait";
      if (request.json === "hang") for (;;);
      if (request.json === "end") process.exit(1);
      if (request.json === "soon") setTimeout(() => process.exit(1), 20);
      if (request.json === "throw") throw new Error("of the thread");
      if (request.json === "fail") return port.postMessage({ failure: "a mistake" });
      if (request.json === "fill") for (const all = []; ; ) all.push(Array(100_000).fill(0.5 + all.length));
      if (wanted) reply(request.json + " by thread " + require("node:worker_threads").threadId);
    });
    port.postMessage("ready");
  };
`;

const pools: Evaluators[] = [];
afterAll(() => Promise.all(pools.map((each) => each.stop())));

function evaluators(most: number): Evaluators {
  const module = join(folder, "acts.cjs");
  writeFileSync(module, acts);
  const pool = new Evaluators(bounds, most, module);
  pools.push(pool);
  return pool;
}

const textOf = async (reply: Promise<Uint8Array>): Promise<string> => new TextDecoder().decode(await reply);

describe("a thread", patient, () => {
  test("serves one request after the other", async () => {
    const pool = evaluators(1);
    const [first, second] = await Promise.all(["a", "b"].map((each) => textOf(pool.evaluate(each, never))));
    expect([first, second].map((each) => each?.replace(/\d+$/, ""))).toEqual([
      "a by thread ",
      "b by thread ",
    ]);
    expect(second?.slice(1)).toBe(first?.slice(1));
  });

  test("that ends when it has nothing to do is replaced by another", async () => {
    const pool = evaluators(1);
    const first = await textOf(pool.evaluate("soon", never));
    await vi.waitFor(async () => {
      const next = await textOf(pool.evaluate("a", never));
      expect(next.replace(/^\D+/, "")).not.toBe(first.replace(/^\D+/, ""));
    }, 10_000);
  });

  test.each([
    { act: "hang", says: /^50 ms for all cells are over$/ },
    { act: "end", says: /^the thread that evaluated it failed$/ },
    { act: "throw", says: /^the thread that evaluated it failed$/ },
    { act: "fill", says: /^(?:the thread that evaluated it failed|50 ms for all cells are over)$/ },
  ])("that does $act is replaced by another", async ({ act, says }) => {
    const pool = evaluators(1);
    const first = await textOf(pool.evaluate("a", never));
    const error = await pool.evaluate(act, never).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(EvaluationError);
    expect(error).toMatchObject({ message: expect.stringMatching(says) });
    const last = await textOf(pool.evaluate("a", never));
    expect(last).toMatch(/^a by thread \d+$/);
    expect(last).not.toBe(first);
  });

  test("that fails by a defect of Sphex says so, and goes on", async () => {
    const pool = evaluators(1);
    const first = await textOf(pool.evaluate("a", never));
    const error = await pool.evaluate("fail", never).catch((error: unknown) => error);
    expect(error).not.toBeInstanceOf(EvaluationError);
    expect(error).toMatchObject({ message: "a mistake" });
    expect(await textOf(pool.evaluate("a", never))).toBe(first);
  });

  test("is told when nobody waits any longer, and one that waits for a thread is forgotten", async () => {
    const pool = evaluators(1);
    const controller = new AbortController();
    const running = pool.evaluate("wait", controller.signal);
    const waiting = pool.evaluate("b", controller.signal).catch((error: unknown) => error);
    const next = textOf(pool.evaluate("c", never));
    controller.abort();
    expect(await textOf(running)).toBe("aborted");
    expect(await waiting).toBeInstanceOf(EvaluationError);
    expect(await next).toMatch(/^c by/);
  });

  test("ends with all that wait, whatever it does", async () => {
    const pool = evaluators(2);
    const all = ["hang", "hang", "a"].map((each) =>
      pool.evaluate(each, never).catch((error: unknown) => error),
    );
    await pool.stop();
    for (const each of await Promise.all(all)) expect(each).toBeInstanceOf(EvaluationError);
  });
});

test("stdin has a longest text, and a longest line", async () => {
  const texts = () => Readable.from(["abc\n", "def", "ghi\n"]);
  expect(await readAll(texts(), 11)).toBe("abc\ndefghi\n");
  await expect(readAll(texts(), 10)).rejects.toThrow("stdin is longer than 10");
  expect(await readAllBytes(texts(), 11)).toHaveLength(11);
  await expect(readAllBytes(texts(), 10)).rejects.toThrow("stdin is longer than 10");
  const lines = async (most: number): Promise<string[]> => {
    const all: string[] = [];
    for await (const line of linesOf(texts(), most)) all.push(line);
    return all;
  };
  expect(await lines(6)).toEqual(["abc", "defghi"]);
  await expect(lines(5)).rejects.toThrow("a line of stdin is longer than 5");
});
