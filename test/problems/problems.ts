import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { main } from "../../src/cli/main.js";
import * as sphex from "../../src/index.js";
import type { Message } from "../../src/language/source/message.js";
import * as models from "../../src/models.js";
import { optional } from "../../src/sql/packages.js";
import * as sql from "../../src/sql.js";
import * as vespa from "../../src/vespa.js";
import { temporaryFolder } from "../folder.js";

/**
 * The causes of messages: `problems/FOLDER.md` has, for each code of `src/FOLDER/messages.ts`, what brings it about. Under a heading with the code stands one block: a program (`sphex`, or `sphex vespa` for that dialect), which is
 * checked and, if it is sound, run; an expression of JavaScript (`js`) that may use all of the library by name; or
 * commands (`console`) that begin with `$ sphex`. Blocks of `file NAME` before the last are files that it may read.
 */
export interface Cause {
  readonly code: string;
  readonly language: string;
  readonly text: string;
  readonly files: readonly File[];
}

export interface File {
  readonly name: string;
  readonly text: string;
}

/** A table of messages: the folder that has it, its rows, in their order, what it says it is about, and its causes. */
export interface Topic {
  readonly name: string;
  readonly about: string;
  readonly table: Readonly<Record<string, Message<never>>>;
  readonly causes: readonly Cause[];
}

const root = new URL("../../src/", import.meta.url);
const causesFolder = new URL("./", import.meta.url);

/** All topics, in alphabetical order; one without a file of causes has none. */
export async function topics(): Promise<readonly Topic[]> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).flatMap(
    (path) => /^(.*)\/messages\.ts$/.exec(path.replaceAll("\\", "/"))?.[1] ?? [],
  );
  return await Promise.all(names.sort().map(topic));
}

async function topic(name: string): Promise<Topic> {
  const source = readFileSync(new URL(`${name}/messages.ts`, root), "utf8");
  const [, about = "", exported = ""] =
    /\/\*\* (What can be [^*]*\.) \*\/\nexport const (\w+Messages)\b/.exec(source) ?? [];
  const module: Readonly<Record<string, Topic["table"]>> = await import(
    /* @vite-ignore */ new URL(`${name}/messages.ts`, root).href
  );
  const causes = new URL(`${name}.md`, causesFolder);
  return {
    name,
    about,
    table: module[exported] ?? {},
    causes: existsSync(causes) ? causesIn(readFileSync(causes, "utf8")) : [],
  };
}

function causesIn(text: string): Cause[] {
  return [...text.matchAll(/^## (\S+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)].map(([, code = "", body = ""]) => {
    const blocks = [...body.matchAll(/^```(\S+)(?: (\S+))?\n([\s\S]*?)\n```$/gm)].map(
      ([, language = "", name = "", inside = ""]) => ({ language, name, text: inside }),
    );
    const files = blocks.filter(({ language }) => language === "file");
    const last = blocks.filter(({ language }) => language !== "file");
    const [only] = last;
    if (only === undefined || last.length > 1) throw new Error(`${code} needs one block that causes it`);
    return { code, language: `${only.language} ${only.name}`.trim(), text: only.text, files };
  });
}

/** What a person sees, and the codes of it. */
export interface Seen {
  readonly codes: readonly string[];
  readonly text: string;
}

export async function seenFrom({ language, text, files }: Cause): Promise<Seen> {
  if (language === "console") return await ofCommands(text, files);
  const readFile = (name: string): string => files.find((each) => each.name === name)?.text ?? missing();
  const readBytes = (name: string): Uint8Array => new TextEncoder().encode(readFile(name));
  const options = files.length === 0 ? {} : { readFile, readBytes, models: models.models };
  const problems =
    language === "js"
      ? await problemsOf(() => ofScript(text, readFile))
      : await problemsOf(() => {
          const whole = { ...options, ...(language === "sphex vespa" ? { dialect: "vespa" as const } : {}) };
          const found = sphex.check(text, whole);
          return found.length > 0 ? found : sphex.compile(text, whole).runAll();
        });
  return {
    codes: problems.map(({ code }) => code),
    text: problems.map((each) => sphex.showProblem(each, { width: 80 })).join("\n\n"),
  };
}

function missing(): never {
  throw new Error("there is no such file");
}

/** The problems that are thrown or returned. */
async function problemsOf(act: () => unknown): Promise<readonly sphex.Problem[]> {
  try {
    const result = await act();
    return Array.isArray(result) ? result.filter((each) => sphex.isProblem(each)) : [];
  } catch (error) {
    if (error instanceof sphex.SphexError) return error.problems;
    throw error;
  }
}

/** An expression that sees what the package exports, and how it loads packages that may be absent. */
function ofScript(text: string, readFile: (name: string) => string): unknown {
  const globals = { ...sphex, ...vespa, ...sql, ...models, optional, readFile };
  return new Function(...Object.keys(globals), `"use strict"; return (${text});`)(...Object.values(globals));
}

async function ofCommands(text: string, files: readonly File[]): Promise<Seen> {
  const folder = temporaryFolder();
  for (const { name, text } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${text}\n`);
  }
  let shown = "";
  const collector = new Writable({
    write: (chunk, _, done) => {
      shown += chunk;
      done();
    },
  });
  for (const [, line = ""] of text.matchAll(/^\$ sphex (.*)$/gm)) {
    const args = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, one, two, three]) => one ?? two ?? three,
    );
    await main(
      args.map((each) => each ?? ""),
      {
        ...{ stdin: Readable.from([""]), stdout: new Writable({ write: (_, __, done) => done() }) },
        ...{ stderr: collector, isTTY: { stdin: false, stderr: false }, columns: 80, cwd: folder, env: {} },
        repl: () => import("../../src/repl/terminal/terminal.js"),
      },
    );
  }
  const seen = shown.replaceAll(`${folder}/`, "").trimEnd();
  return {
    codes: [...seen.matchAll(/^(?:error|warning)[\s\S]*?\s([a-z]+\/[a-z-]+)$/gm)].map(
      ([, code = ""]) => code,
    ),
    text: seen,
  };
}
