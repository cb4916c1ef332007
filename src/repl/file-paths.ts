import { parseProgram, type Source } from "../index.js";

/** The files that statements name, where programs of several folders become one session. */

const isAbsolute = (path: string): boolean => /^(?:[/\\]|[A-Za-z]:)/.test(path);

/** A program of a folder as one of the session's folder: the files that it names are those beside it. */
export const fromFolder = (source: Source, folder: string): Source =>
  withPaths(source, (path) => `${folder}/${path}`);

/** Statements of the session's folder as a program that is written to another one, which is within it. */
export function toFolder(source: Source, folder: string): Source {
  const steps = folder.split(/[/\\]/).filter((each) => each !== "" && each !== ".");
  if (isAbsolute(folder) || steps.includes("..")) return source;
  const inside = `${steps.join("/")}/`;
  const outside = "../".repeat(steps.length);
  return withPaths(source, (path) => (path.startsWith(inside) ? path.slice(inside.length) : outside + path));
}

/** A text whose relative paths in `file("…")` are others. */
function withPaths(source: Source, changed: (path: string) => string): Source {
  const statements = parseProgram(source).tree?.statements ?? [];
  let { text } = source;
  for (const each of [...statements].reverse()) {
    const value = each.kind === "declaration" || each.kind === "model" ? each.value : undefined;
    if (value?.kind !== "reference" || value.name.text !== "file") continue;
    const [path] = value.arguments ?? [];
    if (path?.kind !== "text" || isAbsolute(path.value)) continue;
    const quoted = `"${changed(path.value).replaceAll(/["\\]/g, "\\$&")}"`;
    text = text.slice(0, path.span.start) + quoted + text.slice(path.span.end);
  }
  return { ...source, text };
}
