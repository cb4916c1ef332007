import { escapeHidden, type Tensor, type TensorType } from "../../index.js";
import type { ResultView } from "../document/page-document.js";
import { mostChoices, type TableWindow } from "../protocol.js";

export type CompleteView = TableWindow["view"];

/** Up to so many cells a table shows all dimensions, and none is sliced. */
const mostUnsliced = 240;
/** Up to so many labels a single dimension goes across. */
const mostAcross = 10;

/**
 * A view with all that it leaves open chosen by the type. What it says of another tensor, such as the one that was there before an
 * edit, is left out: dimensions that the type lacks, and labels that a dimension does not have.
 */
export function completeView(tensor: Tensor, view: ResultView): CompleteView {
  const { type } = tensor;
  const isOurs = (name: string): boolean => type.dimension(name) !== undefined;
  const byDefault = defaultSides(tensor);
  const rows = [...new Set(view.rows ?? byDefault.rows)].filter(isOurs);
  const others = [...new Set(view.columns ?? byDefault.columns)];
  const columns = others.filter((name) => isOurs(name) && !rows.includes(name));
  const sliced = type.names.filter((name) => !rows.includes(name) && !columns.includes(name));
  const slices = sliced.map((name) => [name, labelOf(tensor, view.slices, name)] as const);
  return { rows: inOrder(type, rows), columns: inOrder(type, columns), slices: Object.fromEntries(slices) };
}

/** Mapped dimensions come before indexed ones on each side. */
const inOrder = (type: TensorType, names: readonly string[]): readonly string[] => [
  ...names.filter((name) => type.dimension(name)?.kind === "mapped"),
  ...names.filter((name) => type.dimension(name)?.kind === "indexed"),
];

type Sides = Pick<CompleteView, "rows" | "columns">;

function defaultSides(tensor: Tensor): Sides {
  const { names, mapped, indexed } = tensor.type;
  const [only, second] = names;
  if (only === undefined) return { rows: [], columns: [] };
  if (second === undefined)
    return labelsAlong(tensor, only, mostAcross + 1).length > mostAcross
      ? { rows: [only], columns: [] }
      : { rows: [], columns: [only] };
  const indexedNames = indexed.map(({ name }) => name);
  const mappedNames = mapped.map(({ name }) => name);
  const last = indexedNames.at(-1) ?? mappedNames.at(-1) ?? only;
  if (mappedNames.length > 0 && indexedNames.length > 0) {
    const isSmall = tensor.data.length <= mostUnsliced;
    return { rows: [...mappedNames, ...(isSmall ? indexedNames.slice(0, -1) : [])], columns: [last] };
  }
  const others = names.filter((name) => name !== last);
  const isSmall = tensor.data.length <= mostUnsliced || indexedNames.length === 0;
  return { rows: isSmall ? others : others.slice(-1), columns: [last] };
}

/** The labels along a dimension, the first of them where there are many. */
export function labelsAlong(tensor: Tensor, name: string, most = mostChoices): readonly string[] {
  const { type, labels } = tensor;
  const column = type.mapped.findIndex((each) => each.name === name);
  if (column < 0) {
    return Array.from({ length: Math.min(sizeAlong(tensor, name), most) }, (_, at) => `${at}`);
  }
  const found = new Set<string>();
  for (const row of labels) {
    if (found.size >= most) break;
    found.add(row[column] ?? "");
  }
  return [...found];
}

/** How labels are shown that have hidden characters. */
export const escapedLabels = (labels: Iterable<readonly string[]>): ReadonlyMap<string, string> =>
  new Map(
    Array.from(labels)
      .flat()
      .flatMap((label): [string, string][] => {
        const text = escapeHidden(label);
        return text === label ? [] : [[label, text]];
      }),
  );

/** The label that slices have along a dimension, where the tensor has it; otherwise the first one. */
export function labelOf(
  tensor: Tensor,
  slices: Readonly<Record<string, string>> | undefined,
  name: string,
): string {
  const label = slices !== undefined && Object.hasOwn(slices, name) ? slices[name] : undefined;
  return label !== undefined && hasLabel(tensor, name, label) ? label : firstLabel(tensor, name);
}

function hasLabel(tensor: Tensor, name: string, label: string): boolean {
  const { type, labels } = tensor;
  const column = type.mapped.findIndex((each) => each.name === name);
  if (column >= 0) return labels.some((row) => row[column] === label);
  return /^(?:0|[1-9]\d*)$/.test(label) && Number(label) < sizeAlong(tensor, name);
}

/** The size of an indexed dimension. */
const sizeAlong = ({ type, sizes }: Tensor, name: string): number =>
  sizes[type.indexed.findIndex((each) => each.name === name)] ?? 0;

const firstLabel = (tensor: Tensor, name: string): string => labelsAlong(tensor, name, 1)[0] ?? "0";
