import { error } from "./row.js";

/** What can be wrong with asking for a picture. */
export const pictureMessages = {
  "picture/rank": error(({ type, rank, hint }: { type: string; rank: number; hint: string | undefined }) => ({
    says:
      rank === 0
        ? "a single number makes no picture"
        : `pictures have one or two dimensions, and this has ${rank}`,
    found: type,
    wanted: "a tensor of one or two dimensions",
    hint,
  })),
  "picture/kind": error(({ kind, type, hint }: { kind: string; type: string; hint: string }) => ({
    says: `${kind === "bars" ? "bars show" : `a ${kind} shows`} one dimension, and this has two`,
    found: type,
    wanted: "a tensor of one dimension, or a heat map",
    hint,
  })),
};
