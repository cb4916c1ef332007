import { escapeHidden, evaluate, type PictureKind, renderSvg, SphexError, type Tensor } from "../../index.js";
import type { ResultView } from "../document/page-document.js";
import type { PagePicture } from "../protocol.js";
import { labelLiteral } from "../share/label-literal.js";
import { completeView, labelOf } from "./table-view.js";

/** How many dimensions a kind of picture has at most. */
const ranks: Readonly<Record<PictureKind, number>> = { heat: 2, bars: 1, line: 1 };

/**
 * A tensor as SVG, or the slice of it that a view shows: the innermost dimensions across and down are drawn, and of the
 * others the first labels are taken where the view has none.
 */
export function picture(
  tensor: Tensor,
  kind: PictureKind,
  view: ResultView,
  width: number,
): PagePicture | "no cells" | undefined {
  try {
    const { shown, slice, caption } = drawnPart(tensor, kind, view);
    if (shown === undefined) return "no cells";
    const svg = renderSvg(shown, { kind, width, addresses: true });
    // The page says what is dark and what is light; a style in it would be refused by its policy.
    return { svg: svg.replace(/<style>[^<]*<\/style>/, ""), slice, caption };
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

/**
 * The picture that a view has, as a file that stands by itself: of a table the heat map of the part that it shows. Nothing of a slice
 * without cells.
 * @throws SphexError for a tensor of no dimensions.
 */
export function pictureFile(tensor: Tensor, view: ResultView, title: string): string | undefined {
  const usual = tensor.type.rank > 1 ? "heat" : undefined;
  const kind = view.kind !== undefined && isPictureKind(view.kind) ? view.kind : usual;
  if (kind === undefined) return renderSvg(tensor, { title });
  const { shown, caption } = drawnPart(tensor, kind, view);
  if (shown === undefined) return undefined;
  return renderSvg(shown, { kind, title: [title, caption].filter((each) => each !== "").join(", ") });
}

const isPictureKind = (kind: string): kind is PictureKind => Object.hasOwn(ranks, kind);

/** As much of a tensor as a kind of picture draws, if there are cells, and the labels of what it leaves out, also to be read. */
function drawnPart(tensor: Tensor, kind: PictureKind, view: ResultView) {
  const { rows, columns, slices } = completeView(tensor, view);
  const inner = [columns.at(-1), rows.at(-1), ...columns, ...rows, ...tensor.type.names];
  const drawn = new Set(inner.filter((name) => name !== undefined).slice(0, ranks[kind]));
  const sliced = tensor.type.names.filter((name) => !drawn.has(name));
  const labels = sliced.map((name) => labelOf(tensor, slices, name));
  const literals = sliced.map((name, at) => `${name}:${labelText(tensor, name, labels[at] ?? "")}`);
  const slice = Object.fromEntries(sliced.map((name, at) => [name, labels[at] ?? ""]));
  const caption = escapeHidden(literals.join(", "));
  if (!hasRow(tensor, slice)) return { shown: undefined, slice, caption };
  const shown = literals.length === 0 ? tensor : evaluate(`t{${literals.join(",")}}`, { t: tensor });
  return { shown, slice, caption };
}

/** Whether there are cells with these labels: a slice of others would have zeros where the tensor has nothing. */
function hasRow({ type, labels }: Tensor, slice: Readonly<Record<string, string>>): boolean {
  const columns = type.mapped.flatMap(({ name }, column) =>
    Object.hasOwn(slice, name) ? [{ name, column }] : [],
  );
  return (
    columns.length === 0 ||
    labels.some((row) => columns.every(({ name, column }) => row[column] === slice[name]))
  );
}

const labelText = ({ type }: Tensor, name: string, label: string): string =>
  type.dimension(name)?.kind === "mapped" ? labelLiteral(label) : label;
