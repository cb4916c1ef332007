import { dialectNamed, dialectNames } from "../backends/sql/dialects/dialects.js";
import { nearest } from "../language/source/nearest.js";
import { SphexError } from "../language/source/problem.js";
import { spanOfText } from "../language/values/messages.js";
import type { SqlEngine } from "./driver.js";
import { problem } from "./messages.js";

/** An engine for the text of its statements alone. @throws SphexError where there is no dialect of the name. */
export function textEngine(dialectName: string): SqlEngine {
  const dialect = dialectNamed(dialectName);
  const span = spanOfText("dialect", dialectName);
  if (dialect === undefined) {
    const values = { name: dialectName, nearest: nearest(dialectName, dialectNames), names: dialectNames };
    throw new SphexError([problem("engine/dialect", span, values)]);
  }
  const refuse = async (): Promise<never> => {
    throw new SphexError([problem("engine/unknown", span, { url: dialectName })]);
  };
  return { name: dialectName, dialect, connect: refuse };
}
