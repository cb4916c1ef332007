import type { NewCell } from "../document/page-document.js";
import type { DroppedFile } from "./import-request.js";
import { literalOf, mostCharacters } from "./import-tensor.js";

/** A model of ONNX as a program with its weights in it. Throws where they are too many for a text. */
export async function modelProgram({ name, bytes }: DroppedFile): Promise<NewCell> {
  const { readOnnx } = await import("./onnx-file.js");
  const { text, constants } = readOnnx({ name, bytes }).program();
  const weights = [...constants].map(([each, tensor]) => `constant ${each} = ${literalOf(tensor)}`);
  const program = [text.trimEnd(), ...weights, ""].join("\n");
  if (program.length <= mostCharacters) return { kind: "program", text: program };
  throw new Error("its weights are too many for a page: sphex import writes them into files");
}
