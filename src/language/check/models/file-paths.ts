import type { Expression, ProgramTree } from "../../syntax/tree.js";

/** The path of `file("…")`. */
export function filePath(value: Expression): string | undefined {
  if (value.kind !== "reference" || value.name.text !== "file" || value.arguments?.length !== 1)
    return undefined;
  const [path] = value.arguments;
  return path?.kind === "text" ? path.value : undefined;
}

/** Of `file("weights.npz").w` the name of the array. */
export const arrayIn = (value: Expression): string | undefined =>
  value.kind !== "reference" || value.outputs.length === 0
    ? undefined
    : value.outputs.map((each) => each.text).join(".");

/** The paths of all models that a program names, each once. */
export function modelPaths({ statements }: ProgramTree): ReadonlySet<string> {
  return new Set(statements.flatMap((each) => (each.kind === "model" ? (filePath(each.value) ?? []) : [])));
}

/** The paths of all tensors that a program reads, each once. */
export function filePaths({ statements }: ProgramTree): ReadonlySet<string> {
  const paths = statements.flatMap((each) =>
    each.kind === "declaration" && each.value !== undefined ? (filePath(each.value) ?? []) : [],
  );
  return new Set(paths);
}
