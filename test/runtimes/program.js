// What every runtime is asked to do: the same program, whose answers were computed by hand.

import { compile, evaluate, parseType, receiveError, SphexError, Tensor } from "sphex";

export async function answers() {
  const found = [];
  const note = (name, actual, expected) =>
    found.push({ name, isRight: `${actual}` === expected, actual: `${actual}` });
  note(
    "an expression",
    evaluate("sum(a * b)", { a: "tensor(x[2]):[1,2]", b: "tensor(x[2]):[3,4]" }).asNumber(),
    "11",
  );
  const text = "input x: tensor<float>(i[200])\ninput w: tensor<float>(i[200],o[2])\nsum(x * w, i)";
  const x = new Float32Array(200).fill(1);
  const w = new Float32Array(400).fill(0.5);
  for (const backend of ["engine", "closures", "reference"]) {
    const program = compile(text, { backend });
    note(`a product by ${backend}`, program.run({ x, w }).toNested(), "100,100");
    note(`prepared, by ${backend}`, program.prepare({ w }).run({ x }).toNested(), "100,100");
  }
  note("with pauses", (await compile(text).runAsync({ x, w })).toNested(), "100,100");
  const session = compile("input by: tensor()\npersistent n = 0\nassign n = n + by\nn").session();
  session.run({ by: 2 });
  await session.runAsync({ by: 3 });
  note("a session", session.get("n").asNumber(), "5");
  const functions = {
    twice: { parameters: ["tensor()"], returns: "tensor()", call: async (v) => 2 * v.asNumber() },
  };
  note("a function of the host", (await compile("twice(4) + 1", { functions }).runAsync()).asNumber(), "9");
  const code = (action) => {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof SphexError)) return error;
      return receiveError(structuredClone(error.toTransferable())).problems[0].code;
    }
  };
  note(
    "a problem",
    code(() => compile("1 + y")),
    "name/unknown",
  );
  note(
    "a limit",
    code(() => evaluate("sum(tensor(x[100000])(x))", {}, { limits: { steps: 100 } })),
    "limit/steps",
  );
  const deep = `${"(".repeat(900)}1${")".repeat(900)}`;
  note("what is nested deeply", evaluate(deep).asNumber(), "1");
  const sparse = Tensor.from(parseType("tensor(k{})"), { b: 2, a: 1 });
  note("labels", structuredClone(sparse.toTransferable()).labels.join(), "a,b");
  return found;
}
