import { describe, expect, test } from "vitest";
import { Choice } from "../hunt/choice.js";
import { patient } from "../patience.js";
import { corpus, Fuzz, faultOf, surfaces } from "./fuzz.js";
import { Grammar } from "./grammar.js";
import { smaller } from "./smaller.js";
import { textSurface } from "./surface.js";

/** The fuzz for a short while, what it found before, and that it would find something. */
const seed = Number(process.env.SEED ?? 20191208);
const inputs = 12_000 * Number(process.env.TIMES ?? 1);

test(`${inputs} inputs of all surfaces give values or problems`, patient, async () => {
  const fuzz = new Fuzz(seed);
  for (let number = 0; number < inputs; number++) {
    const found = await fuzz.attempt(number);
    expect(found, `npm run fuzz -- --seed ${seed} --input ${number}`).toBe(undefined);
  }
});

test("what was found before is mended", patient, async () => {
  const all = corpus();
  expect(all.length).toBeGreaterThan(0);
  for (const { surface, input } of all)
    expect([surface.name, input, await faultOf(surface, input, seed)]).toEqual([
      surface.name,
      input,
      undefined,
    ]);
});

test("all surfaces make inputs, the same for a seed", () => {
  for (const { name, derive } of surfaces) expect(derive(new Choice(7)), name).toEqual(derive(new Choice(7)));
});

describe("a mistake", () => {
  const faulty = textSurface({
    name: "faulty",
    weight: 1,
    derive: () => "",
    attempt: (text) => {
      if (/x.*y/s.test(text)) throw new TypeError("x before y");
    },
  });

  test("is found", async () => {
    expect(await faultOf(faulty, "axby", seed)).toMatch(/^TypeError: x before y at /);
    expect(await faultOf(faulty, "ybxa", seed)).toBe(undefined);
  });

  test("is made small", async () => {
    const isFaulty = async (each: string | Uint8Array) => (await faultOf(faulty, each, seed)) !== undefined;
    expect(await smaller(`${"a".repeat(500)}x${"b".repeat(500)}y`, isFaulty)).toBe("xy");
  });
});

test("a grammar derives its texts", () => {
  const grammar = new Grammar({ sum: ["1", "<sum>+<sum>", "(<sum*,>)"] });
  for (let number = 0; number < 200; number++)
    expect(grammar.derive("sum", new Choice(number))).toMatch(/^[1+(),]*$/);
});
