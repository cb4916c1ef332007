import type { NewCell } from "../document/page-document.js";
import type { DroppedFile } from "./import-request.js";
import { literalOf, mostCharacters } from "./import-tensor.js";

/**
 * A model of ONNX as a program with its weights in it. A size that the model leaves open, such as how many items are computed at once, is
 * 1, and the program says so.
 * @throws Error where the weights are too many for a text.
 */
export async function modelProgram({ name, bytes }: DroppedFile): Promise<NewCell> {
  const { readOnnx } = await import("./onnx-file.js");
  const model = readOnnx({ name, bytes });
  const open = [
    ...new Set(model.inputs.flatMap(({ shape }) => shape.filter((size) => typeof size === "string"))),
  ];
  const { text, constants } = model.program({ sizes: Object.fromEntries(open.map((each) => [each, 1])) });
  const remark = open.map(
    (each) => `# The model leaves the size ${JSON.stringify(each)} open. It is 1 here.`,
  );
  const weights = [...constants].map(([each, tensor]) => `constant ${each} = ${literalOf(tensor)}`);
  const program = [...remark, text.trimEnd(), ...weights, ""].join("\n");
  if (program.length <= mostCharacters) return { kind: "program", text: program };
  throw new Error("its weights are too many for a page: sphex import writes them into files");
}
