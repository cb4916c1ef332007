import type { NotebookExample } from "./example.js";
import { firstExamples } from "./first-examples.js";
import { moreExamples } from "./more-examples.js";

/** All examples, in the order of the menu. */
export const examples: readonly NotebookExample[] = [...firstExamples, ...moreExamples];
