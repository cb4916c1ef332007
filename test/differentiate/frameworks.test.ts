import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, parseTensor, Tensor } from "../../src/index.js";

/**
 * Gradients are those of JAX and of PyTorch, which agree on all of these programs: frameworks/gradients.py has them in both, and wrote
 * the values.
 */
interface Recorded {
  readonly inputs: Readonly<Record<string, string | number>>;
  readonly programs: readonly {
    readonly name: string;
    readonly expression: string;
    readonly x: string;
    /** The sizes of y, and behind them those of x. */
    readonly shape: readonly number[];
    readonly yAxes: number;
    readonly gradient: readonly number[];
  }[];
}

const recorded: Recorded = JSON.parse(
  readFileSync(new URL("frameworks/gradients.json", import.meta.url), "utf8"),
);
const inputs = Object.fromEntries(
  Object.entries(recorded.inputs).map(([name, value]) => [name, parseTensor(`${value}`)]),
);

/** The inputs in a cell type. */
function inputsAs(cellType: "double" | "float"): Record<string, Tensor> {
  const entries = Object.entries(inputs).map(([name, tensor]): [string, Tensor] => {
    if (tensor.type.isScalar || cellType === "double") return [name, tensor];
    const cells = Float32Array.from(tensor.data as Float64Array); // doubles as they were read
    return [name, Tensor.of(tensor.type.withCells("float"), tensor.sizes, tensor.labels, cells)];
  });
  return Object.fromEntries(entries);
}

test("there are enough of them", () => {
  expect(recorded.programs.length).toBeGreaterThanOrEqual(60);
});

describe.each([
  { cellType: "double", backend: "engine", tolerance: 1e-9 },
  { cellType: "double", backend: "reference", tolerance: 1e-9 },
  { cellType: "float", backend: "engine", tolerance: 1e-4 },
] as const)("$cellType by $backend", ({ cellType, backend, tolerance }) => {
  const values = inputsAs(cellType);
  const declarations = Object.entries(values).map(([name, { type }]) => `input ${name}: ${type}\n`);

  test.each(recorded.programs)("$name", ({ expression, x, yAxes, gradient, shape }) => {
    const text = `${declarations.join("")}y = ${expression}\ngradient(y, ${x})`;
    const program = compile(text, { backend });
    const used = Object.fromEntries(Object.entries(values).filter(([name]) => program.inputs.has(name)));
    const result = program.run(used);
    const ofY = program.values.get("y")?.names ?? [];
    const ofX = values[x]?.type.names ?? [];
    expect(ofY.length).toBe(yAxes);
    const axes = [...ofY.map((name) => (ofX.includes(name) ? `${name}1` : name)), ...ofX];
    const found = [...(result.toArray(axes) as Float64Array)]; // doubles or floats
    expect(found.length).toBe(shape.reduce((cells, size) => cells * size, 1));
    const scale = Math.max(...gradient.map(Math.abs), 1e-3);
    for (const [at, value] of gradient.entries())
      expect(Math.abs((found[at] ?? Number.NaN) - value), `cell ${at}`).toBeLessThanOrEqual(
        tolerance * scale,
      );
  });
});
