import { expect, test } from "vitest";
import { machines } from "../../src/backends/engine/machine/machines.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import { compileExpression } from "../../src/program/compile.js";

/** Plans that are not retained any more when their run ends. */

test("a plan whose run goes on while others take its place gives its memory back", async () => {
  let resume = (): void => undefined;
  const hold = { parameters: ["tensor()"], returns: "tensor()", isPure: false } as const;
  const call = async (n: Tensor): Promise<Tensor> => {
    if (n.asNumber() > 0) await new Promise<void>((resolve) => (resume = resolve));
    return n;
  };
  const text = "sum(softmax(t, x) * 3) + hold(n) * 0";
  const inputs = { t: "tensor(x[])", n: "tensor()" };
  const program = compileExpression(text, {
    inputs,
    backend: "engine",
    functions: { hold: { ...hold, call } },
  });
  const run = (size: number, n: number) => program.runAsync({ t: new Float64Array(size), n });
  const round = async (at: number): Promise<number> => {
    await run(5000 + at, 0);
    const first = run(5000 + at, 1);
    for (let size = 1; size <= 300; size++) await run(size, 0);
    resume();
    expect((await first).asNumber()).toBeCloseTo(3);
    return machines.arena.bytesInUse;
  };
  const used: number[] = [];
  for (let at = 0; at < 6; at++) used.push(await round(at));
  expect(used[5]).toBeLessThanOrEqual((used[1] ?? 0) + 30_000);
});
