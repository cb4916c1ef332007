import type { Node } from "typescript/unstable/ast";

/** Some characters of a file, and what stands in their place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A kind of mistake: where it can be made, and how. */
export interface Mutator {
  readonly name: string;
  /** The mistakes of this kind that a node itself allows; none of those that its parts do. */
  readonly edits: (node: Node) => readonly Edit[];
}

/** Another text for a node. */
export const replaced = (node: Node, text: string): Edit => ({
  start: node.getStart(),
  end: node.end,
  text,
});

/** Another text for what stands between two positions. */
export const between = (start: number, end: number, text: string): Edit => ({ start, end, text });
