import { keysOf } from "../../../language/source/lists.js";
import { contract } from "./contract.js";
import type { Draft } from "./draft.js";
import { embed } from "./embed.js";
import { factorise } from "./factorise.js";
import { finish } from "./finish.js";
import { fuse, separate } from "./fuse.js";
import { hoist } from "./hoist.js";
import { limit } from "./limit.js";
import type { Passes, PassFunctions, PassName } from "./pass.js";
import { place } from "./place.js";
import { segment } from "./segment.js";
import { share } from "./share.js";
import { store } from "./store.js";

const unchanged = (draft: Draft): Draft => draft;

/** The passes of a plan. */
export const passes: Passes = {
  contract: {
    description: "Sums over products of sparse tensors are computed without the rows of their join.",
    apply: contract,
    omit: () => undefined,
  },
  share: {
    description:
      "What several loops would compute again is stored, unless it is as quickly computed as read.",
    apply: share,
    omit: ({ value }) => value,
  },
  limit: {
    description: "Of orders whose first ranks alone are looked at only these are found.",
    apply: limit,
    omit: unchanged,
  },
  hoist: {
    description: "What is the same in all runs, and takes longer to compute than to read, is stored.",
    apply: hoist,
    omit: unchanged,
  },
  factorise: {
    description: "Sums of products of three factors and more are computed pair by pair.",
    apply: factorise,
    omit: unchanged,
  },
  store: {
    description: "What a loop would compute again for every index of axes that it lacks is stored.",
    apply: store,
    omit: unchanged,
  },
  fuse: {
    description: "Operations share a loop, up to a length and a depth of its body.",
    apply: fuse,
    omit: separate,
  },
  finish: {
    description:
      "What is computed of each sum of products, and of nothing else, is computed where the sum is.",
    apply: finish,
    omit: (plan) => plan,
  },
  embed: {
    description: "What is only copied to cells of another buffer is computed there.",
    apply: embed,
    omit: (plan) => plan,
  },
  segment: {
    description:
      "Sums of neighbouring rows, which one loop alone reads, are computed where they are read, and not stored.",
    apply: segment,
    omit: (plan) => plan,
  },
  place: {
    description: "Buffers whose lives do not overlap lie in the same memory.",
    apply: place,
    omit: () => new Map(),
  },
};

/** The passes from draft to draft, in their order. */
export const draftPasses = [
  "limit",
  "hoist",
  "factorise",
  "store",
  "fuse",
] as const satisfies readonly PassName[];

/** The names of all passes, in their order. */
export const passNames = keysOf(passes);

/** The passes, some of them left out. */
export function passesWithout(omitted: readonly PassName[] = []): PassFunctions {
  return omitted.length === 0 ? all : functionsOf((name) => (omitted.includes(name) ? "omit" : "apply"));
}

const functionsOf = (which: (name: PassName) => "apply" | "omit"): PassFunctions => ({
  contract: passes.contract[which("contract")],
  share: passes.share[which("share")],
  limit: passes.limit[which("limit")],
  hoist: passes.hoist[which("hoist")],
  factorise: passes.factorise[which("factorise")],
  store: passes.store[which("store")],
  fuse: passes.fuse[which("fuse")],
  finish: passes.finish[which("finish")],
  embed: passes.embed[which("embed")],
  segment: passes.segment[which("segment")],
  place: passes.place[which("place")],
});

const all = functionsOf(() => "apply");
