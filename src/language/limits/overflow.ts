import { SphexError } from "../source/problem.js";
import type { Span } from "../source/span.js";
import { problem } from "./messages.js";

/**
 * Does work that may exhaust the stack or the memory, and turns the error that JavaScript then throws into a problem.
 * Limits prevent most of it, but the size of the stack and of the memory cannot be known beforehand.
 */
export function withinMachine<T>(span: Span, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw overflowProblem(error, span);
  }
}

/** An error of the machine as a problem; any other error is a bug, and stays as it is. */
export function overflowProblem(error: unknown, span: Span): unknown {
  const code = overflowOf(error);
  return code === undefined ? error : new SphexError([problem(code, span, {})]);
}

/** What an error reports as exhausted, if it does. */
export function overflowOf(error: unknown): "limit/stack" | "limit/memory" | undefined {
  if (error === "out of memory") return "limit/memory"; // SpiderMonkey throws the text itself
  // By its name, since an error of another window or context is no instance of this one's classes.
  if (typeof error !== "object" || error === null || !("name" in error && "message" in error))
    return undefined;
  const { name, message } = error;
  if (name !== "RangeError" && name !== "InternalError") return undefined;
  const isOneOf = (messages: readonly RegExp[]): boolean => messages.some((each) => each.test(`${message}`));
  if (isOneOf(stackMessages)) return "limit/stack";
  return isOneOf(memoryMessages) ? "limit/memory" : undefined;
}

/** The messages of the engines for a full stack. A call takes its arguments from the stack, too. */
const stackMessages = [
  /^Maximum call stack size exceeded\.?$/, // V8; JavaScriptCore with a full stop
  /^too much recursion$/, // SpiderMonkey
  /^too many (?:function|constructor) arguments$/, // SpiderMonkey
  /^too many arguments provided for a function call$/, // SpiderMonkey
];

/**
 * What the engines say of memory that they do not get. They say the same of an array with a negative length, but for
 * typed ones, where V8 shows it.
 */
const memoryMessages = [
  /^Invalid (?:array|string) length$/, // V8, JavaScriptCore
  /^Invalid typed array length: \d+$/, // V8
  /^Array buffer allocation failed$/, // V8
  /^(?:Map|Set) maximum size exceeded$/, // V8
  /^Maximum BigInt size exceeded$/, // V8
  /^WebAssembly\.Memory\(\): could not allocate memory$/, // V8
  /^WebAssembly\.Memory\.grow\(\): Unable to grow instance memory$/, // V8
  /^[\w.]+(?:\(\))?: Out of memory$/, // V8, of a constructor
  /^Out of memory(?:: |$)/, // JavaScriptCore, also of WebAssembly's memory
  /^length too large(?:: \d+)?$/, // JavaScriptCore, of buffers
  /^Array size is not a small enough positive integer\.$/, // JavaScriptCore
  /^Array length must be a positive integer of safe magnitude\.$/, // JavaScriptCore since 2024
  /^(?:out of memory|allocation size overflow|invalid array length)$/, // SpiderMonkey
  /^repeat count must be less than infinity and not overflow maximum string size$/, // SpiderMonkey
  /^failed to grow memory$/, // SpiderMonkey, of WebAssembly's memory
];
