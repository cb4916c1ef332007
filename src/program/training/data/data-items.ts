import { nearest } from "../../../language/source/nearest.js";
import { SphexError } from "../../../language/source/problem.js";
import { spanOfText } from "../../../language/values/messages.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { problem } from "../../messages.js";
import type { TrainOptions } from "../train-options.js";
import type { Trainable } from "../trainable.js";
import { itemCount, itemTexts } from "./batches.js";

/** Data, by the names of inputs. */
export type DataTensors = Readonly<Record<string, Tensor>>;

/** The dimension that the data are taken apart along, and how many items they have there. */
export function itemsOf(
  trainable: Trainable,
  { dimension, batch = Number.POSITIVE_INFINITY }: Pick<TrainOptions, "dimension" | "batch">,
  data: DataTensors,
  validation: DataTensors | undefined,
): { readonly dimension: string; readonly items: number } {
  const { unbound, mapped } = trainable;
  const [only, ...more] = unbound.length > 0 ? unbound : mapped.shared;
  const chosen = dimension ?? (more.length === 0 ? only : undefined);
  const counts = [data, validation].map((each) =>
    each === undefined || chosen === undefined ? undefined : itemCount(each, chosen),
  );
  const [items = 0, validated] = counts;
  if (chosen !== undefined && counts.includes(0)) {
    const values = { dimension: chosen, isValidation: items > 0 };
    throw new SphexError([problem("train/no-items", spanOfText("training", chosen), values)]);
  }
  // What has a size along the dimension takes all items at once, or none.
  const isWhole = batch >= items;
  const isTakenApart = chosen !== undefined && (unbound.includes(chosen) || mapped.all.includes(chosen));
  const isUnclear = validation !== undefined && validated === undefined;
  if (chosen !== undefined && items > 0 && !isUnclear && (isWhole || isTakenApart)) {
    const isSame = validation === undefined || validated === items;
    const fixed = isWhole && isSame ? undefined : trainable.fixedAlong(chosen, new Set(Object.keys(data)));
    if (fixed === undefined) return { dimension: chosen, items };
    throw new SphexError([problem("train/fixed", fixed, { dimension: chosen })]);
  }
  const candidates = [...unbound, ...mapped.all];
  const isValidation = items > 0 && isUnclear;
  const asked = isValidation ? validation : data;
  const isCounted = chosen !== undefined && (items === 0 || isUnclear);
  const values = {
    ...{ dimension: chosen, candidates, nearest: dimension && nearest(dimension, candidates) },
    ...{ counts: isCounted ? itemTexts(asked, chosen) : undefined, isValidation },
  };
  throw new SphexError([problem("train/dimension", spanOfText("training", dimension ?? ""), values)]);
}
