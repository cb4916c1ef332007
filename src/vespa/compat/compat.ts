/** What the command takes of this folder: links, notebooks and protocols of the tools that practitioners have. */
export { answer, type Bounds, RequestError } from "./answer.js";
export { Interactive } from "./interactive.js";
export { jsonTexts } from "./json-texts.js";
export { linkTo, packedLink, programIn, textInLink } from "./link.js";
export {
  type InputTexts,
  notebookCells,
  notebookText,
} from "./notebook.js";
export { type Cell, type Formula, frameOf, readSetup, setupText } from "./playground.js";
export { verbatim } from "./spec.js";
export { type Step, stepsOf } from "./steps.js";
export { Variables } from "./variables.js";
export { wireError } from "./wire.js";
