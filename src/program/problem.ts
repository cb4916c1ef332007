/**
 * The problems of the library: those of all tables of messages that are reached from here. The tables below are only
 * named for their types, which make up the codes and values of a `Problem`.
 */
export type {} from "../backends/messages.js";
export type {} from "../backends/sql/messages.js";
export type {} from "../formats/csv/messages.js";
export type {} from "../formats/json/messages.js";
export type {} from "../formats/messages.js";
export type {} from "../formats/yaml/messages.js";
export type {} from "../inspect/provenance/messages.js";
export type {} from "../language/check/messages.js";
export type {} from "../language/limits/messages.js";
export type { Description, Severity } from "../language/source/message.js";
export type {} from "../language/source/messages.js";
export { isProblem, type Problem, type RelatedSpan, SphexError } from "../language/source/problem.js";
export type {} from "../language/syntax/messages.js";
export type {} from "../language/types/messages.js";
export type {} from "../language/values/messages.js";
export type {} from "../models/messages.js";
export type {} from "../pictures/messages.js";
export type {} from "./messages.js";
