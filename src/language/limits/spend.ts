import type { Span } from "../source/span.js";

/** Counts work at a span; throws a SphexError where that is more than the limits of time and steps allow. */
export type Spend = (work: number, span: Span) => void;
