import { evaluate, type PictureKind, renderSvg, SphexError, type Tensor } from "../../index.js";
import type { ResultView } from "../document/page-document.js";
import type { PagePicture } from "../protocol.js";
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
): PagePicture | undefined {
  const { rows, columns, slices } = completeView(tensor, view);
  const inner = [columns.at(-1), rows.at(-1), ...columns, ...rows, ...tensor.type.names];
  const drawn = new Set(inner.filter((name) => name !== undefined).slice(0, ranks[kind]));
  const sliced = tensor.type.names.filter((name) => !drawn.has(name));
  const labels = sliced.map((name) => labelOf(tensor, slices, name));
  const address = sliced.map((name, at) => `${name}:${labelText(tensor, name, labels[at] ?? "")}`).join(",");
  try {
    const shown = address === "" ? tensor : evaluate(`t{${address}}`, { t: tensor });
    const svg = renderSvg(shown, { kind, width, addresses: true });
    return {
      // The page says what is dark and what is light; a style in it would be refused by its policy.
      svg: svg.replace(/<style>[^<]*<\/style>/, ""),
      slice: Object.fromEntries(sliced.map((name, at) => [name, labels[at] ?? ""])),
    };
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

const labelText = ({ type }: Tensor, name: string, label: string): string =>
  type.dimension(name)?.kind === "mapped" ? JSON.stringify(label) : label;
