import type { Span } from "../source/span.js";

/** Counts work at a span; throws a SphexError where that is more than the limits of time and steps allow. */
export type Spend = (work: number, span: Span) => void;

/** Counts bytes that are stored at a span, before they are; throws a SphexError where they are more than the limit allows. */
export type Store = (bytes: number, span: Span) => void;
