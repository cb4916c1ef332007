import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { threadRuntime } from "../../src/cli/models/onnx-runtime.js";
import { check, compile, type Options, SphexError } from "../../src/index.js";
import {
  models,
  modelsBy,
  type OnnxRuntime,
  type OnnxRuntimeModule,
  onnxRuntime,
  type RuntimeTensor,
} from "../../src/models.js";
import { checkPackage, readPackage } from "../../src/vespa.js";
import { command } from "../command.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";
import { external, floats, layer, model, node, port, raw } from "./onnx/write-model.js";

/** Models of ONNX that another runtime computes, and ONNX Runtime itself where it is installed: NODE_PATH may name its folder. */

const packages = ["onnxruntime-node", "onnxruntime-web"];
const load = createRequire(import.meta.url);
const isInstalled = (name: string): boolean => {
  try {
    return load.resolve(name) !== "";
  } catch {
    return false;
  }
};
const installed = packages.filter(isInstalled);
if (installed.length === 0)
  console.info(`neither ${packages.join(" nor ")} is installed: nothing is compared with ONNX Runtime`);

/** ONNX Runtime asks for the version of the format, which our own reader does not. */
const versioned = (bytes: Uint8Array): Uint8Array => Uint8Array.of(0x08, 8, ...bytes);

// By hand: [1, 2, 3] W = [5, 8] and [0, -1, 1] W = [-2, 3], below 0 nothing.
const inside = raw(floats([1, -1, 2, 0, 0, 3]));
const image = "tensor(a[2],b[3]):[[1,2,3],[0,-1,1]]";
const output = [
  [5, 8],
  [0, 3],
];

/** The numbers that files of ONNX have for types of elements. */
const elements = { float: 1, uint8: 2, int8: 3, uint16: 4, int16: 5, int32: 6, int64: 7, bool: 9 } as const;
const others = { float16: 10, double: 11, uint32: 12, uint64: 13 } as const;

const identity = (code: number): Uint8Array =>
  model(node("Identity", ["x"], "y"), port(11, "x", ["n"], code), port(12, "y", ["n"], code));

const files = new Map<string, Uint8Array>([
  ["beside.onnx", layer(external({ location: "weights.bin", length: "24" }))],
  ["lost.onnx", layer(external({ location: "nowhere.bin" }))],
  ["layer.onnx", layer(inside)],
  ["batch.onnx", layer(inside, "batch")],
  [
    "pair.onnx",
    model(
      node("Sub", ["left.in", "right"], "difference"),
      node("Mul", ["left.in", "right"], "/head/product"),
      ...[port(11, "left.in", ["n"]), port(11, "right", ["n"])],
      ...[port(12, "difference", ["n"]), port(12, "/head/product", ["n"])],
    ),
  ],
  ["strange.onnx", model(node("Strange", ["x"], "y"), port(11, "x", [2, 3]), port(12, "y", [2, 2]))],
  // As scikit-learn writes them: sizes without names.
  ["nameless.onnx", layer(inside, "")],
  ["found.onnx", model(node("NonZero", ["x"], "y"), port(11, "x", [2, 3]), port(12, "y", [2, "found"], 7))],
  ...Object.entries({ ...elements, ...others }).map(
    ([name, code]) => [`${name}.onnx`, identity(code)] as const,
  ),
]);

const optionsBy = (runtime: OnnxRuntime | undefined): Options => ({
  models: runtime === undefined ? models : modelsBy(runtime),
  readBytes: (path) => {
    if (path === "weights.bin") return floats([1, -1, 2, 0, 0, 3]);
    const bytes = files.get(path);
    if (bytes === undefined) throw new Error("there is no such file");
    return versioned(bytes);
  },
});

const codesBy = (runtime: OnnxRuntime, text: string): string[] =>
  check(text, optionsBy(runtime)).map((each) => each.code);

function problemsOf(run: () => unknown): readonly { readonly code: string; readonly message: string }[] {
  try {
    run();
  } catch (error) {
    if (error instanceof SphexError) return error.problems;
    throw error;
  }
  return [];
}

const tensor = (dims: readonly number[], data: readonly number[]): RuntimeTensor => ({
  type: "float32",
  dims,
  data: Float32Array.from(data),
});

describe("a runtime", () => {
  const requests: unknown[] = [];
  const runtime: OnnxRuntime =
    ({ bytes }) =>
    (inputs, name) => {
      requests.push([bytes.length, [...inputs], name]);
      return tensor([2, 2], [5, 8, 0, 3]);
    };

  test("computes an output with the type of its port, of inputs that are row-major", () => {
    const text = `model dense = file("strange.onnx")\nphoto = ${image}\ndense(photo).y + dense(photo)`;
    const result = compile(text, optionsBy(runtime)).run();
    expect(`${result.type}`).toBe("tensor<float>(d0[2],d1[2])");
    expect(result.toNested()).toEqual([
      [10, 16],
      [0, 6],
    ]);
    const bytes = versioned(files.get("strange.onnx") ?? new Uint8Array());
    // Equal calls are one.
    expect(requests).toEqual([[bytes.length, [["x", tensor([2, 3], [1, 2, 3, 0, -1, 1])]], "y"]]);
  });

  test("is not asked before a program runs", () => {
    const refusing: OnnxRuntime = () => {
      throw new Error("it is not there");
    };
    const text = `model dense = file("layer.onnx")\ndense(${image})`;
    expect(codesBy(refusing, text)).toEqual([]);
    const [problem] = problemsOf(() => compile(text, optionsBy(refusing)).run());
    expect(problem).toMatchObject({
      code: "model/failed",
      message: expect.stringContaining("dense failed: it is not there"),
    });
  });

  test("has the files beside a model", () => {
    const seen: unknown[] = [];
    const reading: OnnxRuntime = (file) => {
      seen.push(...file.external);
      return () => tensor([2, 2], [5, 8, 0, 3]);
    };
    compile(`model dense = file("beside.onnx")\ndense(${image})`, optionsBy(reading)).run();
    expect(seen).toEqual([["weights.bin", floats([1, -1, 2, 0, 0, 3])]]);
    const lost = compile(`model dense = file("lost.onnx")\ndense(${image})`, optionsBy(reading));
    const [problem] = problemsOf(() => lost.run());
    expect(problem?.message).toContain("nowhere.bin cannot be read");
  });

  test("that returns another shape than the file declares is told so", () => {
    const text = `model dense = file("layer.onnx")\ndense(${image})`;
    const transposed: OnnxRuntime = () => () => tensor([4], [5, 8, 0, 3]);
    const [problem] = problemsOf(() => compile(text, optionsBy(transposed)).run());
    expect(problem?.message).toContain("its output y is float32[4], where its file declares float32[2,2]");
  });

  test("tells the sizes that the file does not, for inputs of 0", () => {
    const text = `model dense = file("nameless.onnx")\ndense(${image})`;
    const inputs: unknown[] = [];
    const telling: OnnxRuntime = () => (values) => {
      inputs.push([...(values.get("x")?.data ?? [])]);
      return tensor([2, 2], [5, 8, 0, 3]);
    };
    const result = compile(text, optionsBy(telling)).run();
    expect(`${result.type}`).toBe("tensor<float>(d0[2],d1[2])");
    expect(result.toNested()).toEqual(output);
    expect(inputs).toEqual([
      [0, 0, 0, 0, 0, 0],
      [1, 2, 3, 0, -1, 1],
    ]);
  });

  test("that cannot tell them at once has no such output", () => {
    const text = `model dense = file("nameless.onnx")\ndense(${image})`;
    const later: OnnxRuntime = () => async () => tensor([2, 2], [5, 8, 0, 3]);
    expect(codesBy(later, text)).toEqual(["model/output-size"]);
  });

  test("makes no tensor without elements", () => {
    const text = `model positive = file("found.onnx")\npositive(${image})`;
    const nothing: OnnxRuntime = () => () => ({ type: "int64", dims: [2, 0], data: new BigInt64Array() });
    const [problem] = check(text, optionsBy(nothing));
    expect(problem?.message).toBe("positive failed: its output y has no element");
  });

  test("that answers later is awaited by asynchronous runs", async () => {
    const later: OnnxRuntime = () => async () => tensor([2, 2], [5, 8, 0, 3]);
    const program = compile(`model dense = file("layer.onnx")\ndense(${image})`, optionsBy(later));
    expect((await program.runAsync()).toNested()).toEqual(output);
    const failing: OnnxRuntime = () => () => Promise.reject(new Error("it is out of memory"));
    const failed = compile(`model dense = file("layer.onnx")\ndense(${image})`, optionsBy(failing));
    await expect(failed.runAsync()).rejects.toThrow("dense failed: it is out of memory");
  });
});

describe("without a runtime", () => {
  test("an operator that is not in the table names the option", () => {
    const text = `model dense = file("strange.onnx")\ndense(${image})`;
    const [problem] = check(text, optionsBy(undefined));
    expect(problem?.code).toBe("model/node");
    expect(problem?.description.hint).toContain("--models onnxruntime");
  });

  test("so does the warning of a rank profile", () => {
    const schema = `schema s { document s { }
      onnx-model dense { file: models/strange.onnx
        input x: image }
      rank-profile p {
        function image() { expression: ${image} }
        first-phase { expression: sum(onnx(dense).y) } } }`;
    const bytes = (path: string): Uint8Array | undefined => files.get(path.replace("models/", ""));
    const read = { list: () => ["schemas/s.sd"], read: () => schema, readBytes: bytes };
    const packageFiles = {
      ...read,
      readBytes: (path: string) => versioned(bytes(path) ?? new Uint8Array()),
    };
    const warned = checkPackage(readPackage(packageFiles, { models })).profiles.flatMap(
      (each) => each.problems,
    );
    expect(warned.map(({ code }) => code)).toContain("model/unread");
    expect(warned.find(({ code }) => code === "model/unread")?.description.hint).toContain(
      "--models onnxruntime",
    );
    const runtime: OnnxRuntime = () => () => tensor([2, 2], [5, 8, 0, 3]);
    const computed = checkPackage(readPackage(packageFiles, { models: modelsBy(runtime) }));
    expect(computed.profiles.flatMap((each) => each.problems)).toEqual([]);
  });

  test.skipIf(installed.length > 0)("the command says what to install", async () => {
    const { run, folder } = command();
    writeFileSync(join(folder, "one.sphex"), "1");
    writeFileSync(join(folder, "s.sd"), "schema s { document s { } rank-profile p { } }");
    writeFileSync(join(folder, "s.rank-test.yaml"), "profile: p\nexpect: { score: 1 }\n");
    for (const args of [["run", "one.sphex"], ["score"], ["test"]]) {
      const { code, err } = await run([...args, "--models", "onnxruntime"]);
      expect(code).toBe(2);
      expect(err).toContain("npm install onnxruntime-node");
    }
  });
});

describe("the thread of the command", () => {
  /** A package in the place of ONNX Runtime, whose sessions do this when they run. */
  const runtimeThat = (run: string, create = "return { run };"): OnnxRuntime => {
    const path = join(temporaryFolder(), "package.cjs");
    const code = `const run = async () => { ${run} };
      exports.InferenceSession = { create: async () => { ${create} } };
      exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } };`;
    writeFileSync(path, code);
    return threadRuntime(path);
  };
  const dense = (runtime: OnnxRuntime): string | undefined => {
    const text = `model dense = file("layer.onnx")\ndense(${image})`;
    return problemsOf(() => compile(text, optionsBy(runtime)).run())[0]?.message;
  };

  test("answers with what the package computes, or with its failure", patient, () => {
    const runtime = runtimeThat(
      'return { y: { type: "float32", dims: [2, 2], data: Float32Array.of(1, 2, 3, 4) } };',
    );
    const text = `model dense = file("layer.onnx")\ndense(${image})`;
    expect(compile(text, optionsBy(runtime)).run().toNested()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(dense(runtimeThat('throw new Error("no such kernel")'))).toBe("dense failed: no such kernel");
  });

  // These would wait for ten minutes if nobody noticed.
  test.each([
    ["leaves", "process.exit(3)", ""],
    [
      "fails outside of a call",
      'setImmediate(() => { throw new Error("lost") }); await new Promise(() => {})',
      ": lost",
    ],
  ])("tells at once of a package that %s", patient, (_, run, reason) => {
    const told = `dense failed: the thread that ran ONNX Runtime ended${reason}`;
    const runtime = runtimeThat(run);
    expect(dense(runtime)).toBe(told);
    // Nor is a later call left without an answer.
    expect(dense(runtime)).toBe(told);
    expect(dense(runtimeThat("", run))).toBe(told);
  });
});

describe.each(installed)("%s", (name) => {
  const loaded = async (): Promise<OnnxRuntime> =>
    onnxRuntime((await import(load.resolve(name))) as OnnxRuntimeModule);

  test.each([
    `model dense = file("layer.onnx")\ndense(${image})`,
    `model dense = file("batch.onnx")\ndense(${image}) * 2`,
    `model dense = file("beside.onnx")\ndense(${image})`,
    `model dense = file("batch.onnx")\ndense(tensor(a[3],b[3]):[[1,2,3],[0,-1,1],[0.5,0.25,-7]])`,
    'model two = file("pair.onnx")\ntwo(right: tensor(x[3]):[1,2,3], left_in: tensor(x[3]):[4,5,6]).difference',
  ])("agrees with the program of a model: %s", patient, async (text) => {
    const own = compile(text, optionsBy(undefined)).run();
    const theirs = await compile(text, optionsBy(await loaded())).runAsync();
    expect(`${theirs.type}`).toBe(`${own.type}`);
    expect(theirs.toNested()).toEqual(own.toNested());
  });

  test.each(Object.keys({ ...elements, ...others }))(
    "takes and returns elements of %s",
    patient,
    async (type) => {
      const numbers = type === "bool" ? [0, 1, 1] : type.startsWith("u") ? [0, 7, 200] : [-2, 0, 100];
      const text = `model same = file("${type}.onnx")\nsame(tensor(x[3]):[${numbers}])`;
      const own = compile(text, optionsBy(undefined)).run();
      const theirs = await compile(text, optionsBy(await loaded())).runAsync();
      expect(`${theirs.type}`).toBe(`${own.type}`);
      expect(theirs.toNested()).toEqual(numbers);
    },
  );
});

describe.skipIf(installed.length === 0)("the command", () => {
  const examples = join(dirname(fileURLToPath(import.meta.url)), "../../examples/models");
  const asked = ["--models", "onnxruntime"];

  test("runs a program of models", patient, async () => {
    const { run } = command();
    const args = ["run", join(examples, "lunch.sphex"), "--json"];
    const values = async (more: readonly string[]): Promise<number[][]> => {
      const { out } = await run([...args, ...more]);
      const { results } = JSON.parse(out) as { results: { cells: [unknown, number][] }[] };
      return results.map(({ cells }) => cells.map(([, value]) => value));
    };
    const [own, theirs] = [await values([]), await values(asked)];
    expect(theirs.length).toBe(3);
    for (const [at, result] of theirs.entries())
      for (const [cell, value] of result.entries())
        expect(value).toBeCloseTo(own[at]?.[cell] ?? Number.NaN, 5);
  });

  test("asks for the sizes that a file does not tell", patient, async () => {
    const { run, folder } = command();
    writeFileSync(join(folder, "nameless.onnx"), versioned(files.get("nameless.onnx") ?? new Uint8Array()));
    writeFileSync(join(folder, "p.sphex"), `model dense = file("nameless.onnx")\ndense(${image})`);
    const { out, err } = await run(["run", "p.sphex", ...asked]);
    expect([out, err]).toEqual(["tensor<float>(d0[2],d1[2]):[[5.0, 8.0], [0.0, 3.0]]\n", ""]);
  });

  test("scores and tests rank profiles", patient, async () => {
    const { run } = command();
    expect(await run(["test", examples, ...asked])).toMatchObject({ code: 0 });
    const document = ["--document", join(examples, "corner.json")];
    const scored = await run(["score", examples, ...document, ...asked]);
    expect(scored.code).toBe(0);
    expect(scored.out).toContain("gladness");
  });

  test("tells what ONNX Runtime says of a model that it has no operator for", patient, async () => {
    const { run, folder } = command();
    writeFileSync(join(folder, "strange.onnx"), versioned(files.get("strange.onnx") ?? new Uint8Array()));
    writeFileSync(join(folder, "p.sphex"), `model dense = file("strange.onnx")\ndense(${image})`);
    const { code, err } = await run(["run", "p.sphex", ...asked]);
    expect(code).toBe(1);
    expect(err).toContain("dense failed");
    expect(err).toContain("Strange");
  });
});
