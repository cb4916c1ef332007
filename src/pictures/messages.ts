import { error } from "../language/source/message.js";
import { problemsOf } from "../language/source/problem.js";
import type { TensorType } from "../language/types/type.js";

/** Expressions that would make a picture of the tensor. */
interface Drawable {
  /** A mean along the dimensions that are too many. */
  readonly average: string;
  /** One slice of these; nothing where the tensor has no cells. */
  readonly slice: string | undefined;
}

const drawableText = ({ average, slice }: Drawable): string =>
  slice === undefined ? `draw a mean: ${average}` : `draw a mean, ${average}, or one slice, ${slice}`;

/** What can be wrong with asking for a picture. */
export const pictureMessages = {
  "picture/rank": error(({ type, instead }: { type: TensorType; instead: Drawable | undefined }) => ({
    message: type.isScalar
      ? "a single number cannot be drawn as a picture"
      : `pictures have one or two dimensions, and this has ${type.rank}`,
    found: `${type}`,
    expected: "a tensor of one or two dimensions",
    hint: instead && drawableText(instead),
  })),
  "picture/kind": error(
    ({ kind, type, instead }: { kind: "bars" | "line"; type: TensorType; instead: Drawable }) => ({
      message: `${kind === "bars" ? "bars show" : `a ${kind} shows`} one dimension, and this has two`,
      found: `${type}`,
      expected: "a tensor of one dimension, or a heat map",
      hint: drawableText(instead),
    }),
  ),
};

declare module "../language/source/problem.js" {
  interface MessageTables {
    readonly pictures: typeof pictureMessages;
  }
}

export const problem = problemsOf<"pictures">(pictureMessages);
