import { readLiteral } from "../../../formats/literal.js";
import type { Problem } from "../../../language/source/problem.js";
import { textIn } from "../../../language/source/span.js";
import { TensorType } from "../../../language/types/type.js";
import { Tensor } from "../../../language/values/tensor.js";
import { problem } from "../model/messages.js";
import type { Constant, Package } from "../model/model.js";
import { partOf } from "../model/reading.js";
import { uncommented } from "../model/text.js";

/** How many cells a constant may have. */
const cells = 50_000_000;

/** The value of a constant, or what is wrong with it; nothing where it has none that is in the package. */
export function constantValue(
  { name, type, value }: Constant,
  { tensor }: Pick<Package, "tensor">,
): Tensor | readonly Problem[] | undefined {
  if (value === undefined) return undefined;
  if ("file" in value) return tensor(value.file, type, value.span);
  const text = textIn(value.text);
  const number = Number(text);
  const isNumber = text === "NaN" || (text !== "" && !Number.isNaN(number));
  if (type.isScalar && isNumber) return Tensor.scalar(number, TensorType.scalar);
  if (type.isScalar && !text.startsWith("tensor"))
    return [problem("schema/value", value.text, { name, text })];
  const { tree, problems } = partOf(value.text, (source) =>
    readLiteral(uncommented(source), { type, empty: 0, cells }),
  );
  return problems.length > 0 ? problems : tree;
}
