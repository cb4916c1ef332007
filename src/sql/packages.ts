import { SphexError } from "../language/source/problem.js";
import { spanOfText } from "../language/values/messages.js";
import { problem } from "./messages.js";

/** An optional package; what is missing says how to install it. */
export async function optional<T>(engine: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? `${error.code}` : "";
    if (!code.endsWith("MODULE_NOT_FOUND")) throw error;
    throw new SphexError([problem("engine/package", spanOfText(engine, name), { engine, name })]);
  }
}
