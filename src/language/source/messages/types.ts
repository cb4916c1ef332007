import { didYouMean, error, portability, warning } from "./row.js";

export interface Pair {
  readonly left: string;
  readonly right: string;
}

export interface Clash extends Pair {
  readonly dimension: string;
}

/** What can be wrong with types. */
export const typeMessages = {
  "type/size-mismatch": portability((values: Clash & { by: string; first: string; second: string }) => ({
    says: `these tensors disagree about the size of ${values.dimension}: ${values.by} takes only the overlap`,
    found: `${values.first} and ${values.second}`,
    wanted: `the same size on both sides of ${values.by}`,
    hint: "slice or rename one of them",
  })),
  "type/concat-size": portability((values: Clash & { along: string; first: string; second: string }) => ({
    says: `these tensors disagree about the size of ${values.dimension}: the shorter one is filled up with zeros`,
    found: `${values.first} and ${values.second}`,
    wanted: `the same size in every dimension but ${values.along}`,
  })),
  "type/concat-unbound": warning(({ dimension, along }: { dimension: string; along: string }) => ({
    says: `the sizes of ${dimension} are not known here: where they differ, the Paper pads with zeros and Vespa cuts`,
    found: `${dimension}[]`,
    wanted: `a size in every dimension but ${along}`,
  })),
  "type/kind-clash": error((values: Clash & { by: string }) => ({
    says: `${values.dimension} is a mapped dimension on one side of ${values.by} and an indexed one on the other`,
    found: `${values.left} and ${values.right}`,
    wanted: "the same kind on both sides",
    hint: "rename one of them",
  })),
  "type/merge-dimensions": error((values: Pair) => ({
    says: "merge needs the same dimensions on both sides",
    found: `${values.left} and ${values.right}`,
    wanted: "the same dimensions",
  })),
  "type/merge-size": error((values: Clash) => ({
    says: `merge needs the same size of ${values.dimension} on both sides`,
    found: `${values.left} and ${values.right}`,
    wanted: "the same sizes",
  })),
  "type/concat-mapped": error(({ dimension, type }: { dimension: string; type: string }) => ({
    says: `concat cannot lay tensors end to end along ${dimension}, which is mapped`,
    found: type,
    wanted: "an indexed dimension, or a new one",
    hint: "merge combines tensors with mapped dimensions",
  })),
  "type/branches": error((values: Pair) => ({
    says: "both branches must have the same dimensions",
    found: `${values.left} and ${values.right}`,
    wanted: "the same dimensions and sizes",
  })),
  "type/unknown-dimension": error(
    (values: { dimension: string; type: string; nearest: string | undefined }) => ({
      says: `there is no dimension ${values.dimension} here`,
      found: `\`${values.dimension}\``,
      wanted: `a dimension of ${values.type}`,
      hint: didYouMean(values.nearest),
    }),
  ),
  "type/duplicate-dimension": error(({ dimension }: { dimension: string }) => ({
    says: `the dimension ${dimension} stands here twice`,
    found: `\`${dimension}\` again`,
    wanted: "each dimension once",
  })),
  "type/not-scalar": error(({ what, type }: { what: string; type: string }) => ({
    says: `${what} must be a single number`,
    found: type,
    wanted: "tensor()",
    hint: "reduce the tensor to a number, or slice one cell from it",
  })),
  "type/not-mapped": error(({ name, type }: { name: string; type: string }) => ({
    says: `${name} needs a mapped dimension`,
    found: type,
    wanted: "a tensor with at least one mapped dimension",
  })),
  "type/not-sparse": error(({ name, type }: { name: string; type: string }) => ({
    says: `${name} needs a sparse tensor`,
    found: type,
    wanted: "a tensor with mapped dimensions only",
  })),
  "type/not-new": error(({ dimension, type }: { dimension: string; type: string }) => ({
    says: `the tensor has the dimension ${dimension} already`,
    found: type,
    wanted: "a new dimension, or one of size 1",
  })),
  "type/same-size": error((values: Clash & { name: string }) => ({
    says: `${values.name} needs ${values.dimension} indexed and of one size in both tensors`,
    found: `${values.left} and ${values.right}`,
    wanted: `${values.dimension}[n] in both`,
  })),
  "type/not-generated": error(({ dimension, type }: { dimension: string; type: string }) => ({
    says: `a generated tensor needs a size for ${dimension}`,
    found: type,
    wanted: `${dimension}[size]`,
  })),
  "type/unpack-bits": error(({ type }: { type: string }) => ({
    says: "unpack_bits needs int8 cells along an indexed dimension of known size",
    found: type,
    wanted: "tensor<int8>(x[n])",
    hint: "cell_cast(…, int8) makes such cells",
  })),
  "type/scalar-cast": error(({ cellType }: { cellType: string }) => ({
    says: "a single number is always a double",
    found: cellType,
    wanted: "double",
  })),
  "type/rename-clash": error(({ dimension, type }: { dimension: string; type: string }) => ({
    says: `after this rename two dimensions would be called ${dimension}`,
    found: type,
    wanted: "different names",
  })),
  "type/subspace-mapped": error(({ type }: { type: string }) => ({
    says: "the lambda of map_subspaces must give a dense tensor or a number",
    found: type,
    wanted: "no mapped dimension",
  })),
  "type/subspace-clash": error(({ dimension, type }: { dimension: string; type: string }) => ({
    says: `the lambda's result has a dimension ${dimension}, which the outer tensor has too`,
    found: type,
    wanted: "other dimensions than the mapped ones outside",
    hint: "rename it inside the lambda",
  })),
  "type/cell-type": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    says: `${name} is no cell type`,
    found: `\`${name}\``,
    wanted: "double, float, bfloat16 or int8; short, int, long or half",
    hint: didYouMean(nearest),
  })),
  "type/cell-type-vespa": portability(({ name }: { name: string }) => ({
    says: `Vespa does not have the cell type ${name}`,
    found: `\`${name}\``,
    wanted: "double, float, bfloat16 or int8",
  })),
  "type/dimension-size": error(({ dimension, found }: { dimension: string; found: string }) => ({
    says: `${found} is no size for ${dimension}`,
    found: `\`${found}\``,
    wanted: "a whole number from 1 to 2147483647",
  })),
  "slice/text-label": error(({ dimension, label }: { dimension: string; label: string }) => ({
    says: `${dimension} is indexed, and ${label} is no index`,
    found: `the label \`${label}\``,
    wanted: "a number",
    hint: `for the value of ${label}, write (${label})`,
  })),
  "slice/out-of-bounds": error(({ dimension, index }: { dimension: string; index: string }) => ({
    says: `the index ${index} lies outside ${dimension}`,
    found: index,
    wanted: `an index from 0 to ${Number(/\[(\d+)\]/.exec(dimension)?.[1] ?? 2147483647) - 1}`,
  })),
  "slice/ambiguous": error(
    (values: { kind: string; count: number; type: string; hint: string | undefined }) => ({
      says: `this short slice needs exactly one ${values.kind} dimension`,
      found: `${values.type}, which has ${values.count === 0 ? "none" : values.count}`,
      wanted: `one ${values.kind} dimension`,
      hint: values.hint,
    }),
  ),
};
