import { sizesOf } from "../../language/core/run-sizes.js";
import type { Declaration, ProgramTree } from "../../language/syntax/tree.js";
import { dimensionText, type TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import { canonicalName, type Options, writtenAxes } from "../options.js";

/** A tensor, as far as its sizes go. */
export type Sized = Pick<Tensor, "type" | "sizes">;

/** The types of inputs with all their sizes, by canonical name. */
export type SizedTypes = ReadonlyMap<string, TensorType>;

/** The same cells in types that have their sizes. */
export const withBoundTypes = (tensors: ReadonlyMap<string, Tensor>): ReadonlyMap<string, Tensor> =>
  new Map(Array.from(tensors, ([name, tensor]) => [name, tensor.as(boundType(tensor))]));

/** Of many tensors along a dimension, what one of them is. */
export function itemAlong(dimension: string, { type, sizes }: Sized): Sized {
  const rest = type.dimensions.filter(({ name }) => name !== dimension);
  return {
    type: type.withDimensions(rest),
    sizes: sizes.filter((_, at) => type.indexed[at]?.name !== dimension),
  };
}

/** What tells types of inputs apart. */
export const sizesKey = (types: SizedTypes): string =>
  [...types].map(([name, type]) => `${name} ${type}`).join(" ");

/** Whether a tensor of open sizes has none along one of them: no type that is written has a size of 0. */
export const lacksElements = ({ type, sizes }: Sized): boolean => !type.isBound && sizes.includes(0);

/** The type of a tensor with its sizes. */
export const boundType = (tensor: Sized): TensorType =>
  tensor.type.isBound ? tensor.type : tensor.type.withSizes(sizesOf(tensor));

/** A program whose inputs are declared with these sizes; a default is dropped, since there is a value. */
export function withSizes(
  tree: ProgramTree,
  nameOf: (each: Declaration) => string,
  types: SizedTypes,
): ProgramTree {
  return {
    statements: tree.statements.map((statement) => {
      if (statement.kind !== "declaration" || statement.role !== "input") return statement;
      const type = types.get(nameOf(statement));
      if (type === undefined || statement.type === undefined) return statement;
      const dimensions = statement.type.dimensions.map((each) => {
        const size = type.dimension(each.name.text)?.size;
        return size === undefined ? each : { ...each, size: { text: `${size}`, span: each.span } };
      });
      const { value: _, ...rest } = statement;
      return { ...rest, type: { ...statement.type, dimensions } };
    }),
  };
}

/** Options whose inputs have these types. */
export function sizedOptions(options: Options, types: SizedTypes): Options {
  const { inputs } = options;
  if (inputs === undefined) return options;
  const entries = Object.entries(inputs).map(([name, declared]) => {
    const type = types.get(canonicalName(name));
    if (type === undefined) return [name, declared] as const;
    return [name, typeof declared === "string" ? writtenAs(declared, type) : type] as const;
  });
  return { ...options, inputs: Object.fromEntries(entries) };
}

/** A type with its sizes, in the order in which a text writes its dimensions: that of the axes of arrays. */
function writtenAs(text: string, type: TensorType): string {
  const dimensions = writtenAxes(text).flatMap((name) => type.dimension(name) ?? []);
  return `tensor<${type.cellType}>(${dimensions.map(dimensionText).join(",")})`;
}
