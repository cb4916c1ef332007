import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";

/**
 * The library as a page has it: bundled for browsers, by the host or as `sphex/browser`, and run where there is nothing of Node and
 * only those few globals of a browser that it may use. Standard JavaScript comes with every context.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
const { exports } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
const bundles = [
  { name: "of the sources", entry: `${root}/src/index.ts` },
  { name: "sphex/browser", entry: `${root}/${exports["./browser"].default}` },
];

describe.each(bundles)("the bundle $name", ({ entry }) => {
  let code = "";
  /** What the bundle would still import: nothing may be left. */
  let left: string[] = [];

  beforeAll(async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      metafile: true,
      platform: "browser",
      format: "iife",
      globalName: "sphex",
      target: "es2022",
      logLevel: "silent",
    });
    code = outputFiles[0]?.text ?? "";
    left = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  });

  /** A page without a document: what it logs is kept. */
  function page(): { run: (text: string) => unknown; logged: unknown[] } {
    const logged: unknown[] = [];
    const globals = {
      TextEncoder,
      MessageChannel,
      performance,
      setTimeout,
      console: { log: (...all: unknown[]) => logged.push(...all) },
    };
    // A careful page forbids eval.
    const context = createContext(globals, { codeGeneration: { strings: false, wasm: true } });
    new Script("var self = globalThis").runInContext(context);
    new Script(code, { filename: "sphex.js" }).runInContext(context);
    return { run: (text) => new Script(text).runInContext(context), logged };
  }

  test("the bundle is whole, and imports nothing from Node", () => {
    expect(code.length).toBeGreaterThan(10_000);
    expect(left).toEqual([]);
    expect(code.match(/["'`]node:\w+/g) ?? []).toEqual([]);
  });

  test("the page has nothing of Node", () => {
    const { run } = page();
    expect(
      run("[typeof process, typeof require, typeof Buffer, typeof global, typeof setImmediate].join()"),
    ).toBe(Array(5).fill("undefined").join());
  });

  test("an expression is evaluated in the page", () => {
    const { run, logged } = page();
    expect(
      run(
        `sphex.evaluate("sum(a * b, x)", { a: "tensor(x[3]):[1,2,3]", b: "tensor(x[3]):[4,5,6]" }).asNumber()`,
      ),
    ).toBe(32);
    expect(run(`String(sphex.evaluate("softmax(tensor(k{}):{a:0,b:0}, k)"))`)).toBe(
      "tensor(k{}):{a:0.5, b:0.5}",
    );
    expect(run(`sphex.evaluate("'foo'").asNumber()`)).toBe(-1.7357760893302906e-99);
    expect(logged).toEqual([]);
  });

  test("a program is compiled in the page, and runs without holding it up", async () => {
    const { run } = page();
    const text = JSON.stringify(
      "input a: tensor(x[3])\nb = a * 2\nsum(b) + sum(tensor(i[100],j[100])(i - j))",
    );
    const result = run(`sphex.compile(${text}).runAsync({ a: new Float64Array([1, 2, 3]) }).then(String)`);
    await expect(result).resolves.toBe("tensor():{12.0}");
  });

  test("what is wrong is told in the page as anywhere", () => {
    const { run } = page();
    const tell = `try { sphex.evaluate("sum(a, y)", { a: "tensor(x[2]):[1,2]" }) } catch (error) {
    error instanceof sphex.SphexError && error.problems.map((each) => each.code + " " + each.span.start).join();
  }`;
    expect(run(tell)).toBe("type/unknown-dimension 7");
  });
});

test("sphex/browser is one file, which loads no other", async () => {
  const { metafile } = await build({
    entryPoints: [`${root}/${exports["./browser"].default}`],
    ...{ bundle: true, write: false, metafile: true },
  });
  expect(Object.keys(metafile.inputs)).toEqual([expect.stringMatching(/dist\/browser\.js$/)]);
});
