/** The problems of the library and of all that is here: the tables below add their codes to a `Problem`. */
export type { Problem } from "../index.js";
export type {} from "./documents/messages.js";
export type {} from "./export/messages.js";
export type {} from "./judging/messages.js";
export type {} from "./learning/messages.js";
export type {} from "./package/model/messages.js";
export type {} from "./package/syntax/messages.js";
export type {} from "./rank-tests/messages.js";
export type {} from "./ranking/messages.js";
