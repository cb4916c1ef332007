import { textIn } from "../../../../language/source/span.js";
import type { Model } from "../../model/model.js";
import { unquoted } from "../../model/text.js";
import type * as Tree from "../../syntax/tree.js";

/** `onnx-model name { file: … input x: f output y: z }` */
export function readModel({ name, items, span }: Tree.ModelStatement): Model {
  const pairs = (kind: Tree.Port["kind"]): Map<string, string> =>
    new Map(
      items.flatMap((each): [string, string][] =>
        each.kind === kind ? [[unquoted(each.name.text), unquoted(textIn(each.value))]] : [],
      ),
    );
  const file = items.find((each) => each.kind === "file");
  const path = file === undefined ? {} : { file: file.path.text };
  return { name, span, ...path, inputs: pairs("input"), outputs: pairs("output") };
}
