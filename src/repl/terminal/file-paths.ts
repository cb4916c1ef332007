import { parseProgram, type Source } from "../../index.js";
import { quotedText } from "../memory/saved-session.js";

/** The files that statements name, where programs of several folders become one session. */

const isAbsolute = (path: string): boolean => /^(?:[/\\]|[A-Za-z]:)/.test(path);

const folderOf = (path: string): string | undefined => /^(.*)[/\\]/.exec(path)?.[1];

/** A program that is read as one of the session's folder: the files that it names are those beside it. */
export function asRead(source: Source): Source {
  const folder = folderOf(source.name);
  return folder === undefined ? source : withPaths(source, (path) => `${folder}/${path}`);
}

/** Statements of the session's folder as a program that is written to another one, which is within it. */
export function asWritten(source: Source): Source {
  const folder = folderOf(source.name) ?? "";
  const steps = folder.split(/[/\\]/).filter((each) => each !== "" && each !== ".");
  if (steps.length === 0 || isAbsolute(folder) || steps.includes("..")) return source;
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
    text = text.slice(0, path.span.start) + quotedText(changed(path.value)) + text.slice(path.span.end);
  }
  return { ...source, text };
}
