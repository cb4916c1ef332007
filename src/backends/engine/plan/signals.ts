/** What is thrown while a plan is made, and caught by whoever makes it: none of it is a problem. */

/** Thrown where a plan depends on cells that steps have not computed yet: it is tried again when they have. */
export class NotYet {}

/** Thrown where it turns out while planning what a node needs; the scope knows now. */
export class NeedsMore {}

/** Thrown where the engine has no way of its own to compute a node. */
export class NoWay {}
