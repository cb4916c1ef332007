import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { replaceFile } from "../../src/cli/files/replace-file.js";
import { numbersByChance } from "../chance.js";
import { temporaryFolder } from "../folder.js";
import { floats, layer, raw } from "../models/onnx/write-model.js";
import { patient } from "../patience.js";
import { stopwatch } from "../stopwatch.js";

/** Files are written so that nothing is lost, by the built command, when it is killed and when the disk is full. */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const command = join(root, "bin/sphex.js");
const isRoot = process.getuid?.() === 0;

const sphex = (args: readonly string[], cwd: string) =>
  spawnSync(process.execPath, [command, ...args], { cwd, encoding: "utf8" });

/** What a folder has that begins with `.sphex`: temporary files that were left there. */
const leftIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith(".sphex"));

describe("the house rule", () => {
  /** What reads, and what makes and removes folders. Everything else of `node:fs` writes, or may. */
  const harmless = new Set([
    ...["existsSync", "statSync", "lstatSync", "realpathSync", "readFileSync", "readdirSync", "watch"],
    ...[
      "mkdtempSync",
      "rmSync",
      "type Dirent",
      "type FSWatcher",
      "type Stats",
      "openSync",
      "closeSync",
      "fstatSync",
      "readSync",
    ],
    ...["constants"],
  ]);
  const allowed = "src/cli/files/replace-file.ts";
  /** Makes the command, and so cannot call it; it writes what is made anew, and nothing of a user's. */
  const build = "bin/build.js";

  const sources = ["src", "bin"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[cm]?[jt]s$/.test(name))
      .map((name) => `${folder}/${name}`),
  );

  /** What a text does with files beyond reading them. */
  function writingUses(text: string): string[] {
    const modules = [...text.matchAll(/(import|export)([^;"']*?)from\s*"(?:node:)?fs(?:\/promises)?"/g)];
    const names = modules.flatMap(([, , clause = ""]) => {
      const list = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1];
      return list === undefined ? [clause.trim()] : list.split(",").map((each) => each.trim());
    });
    const opens = [...text.matchAll(/\bopenSync\([^()]*(?:\([^()]*\)[^()]*)*\)/g)].map(([call]) => call);
    return [
      ...names.filter((name) => name !== "" && !harmless.has(name)),
      ...opens.filter((call) => !/, (?:"r"|constants\.O_RDONLY \| constants\.O_NONBLOCK)\)$/.test(call)),
      ...(text.match(/\b(?:import|require)\(\s*"(?:node:)?fs[^)]*\)|\bgetBuiltinModule\b/g) ?? []),
    ];
  }

  test("only one file writes files", () => {
    const uses = sources
      .filter((path) => path !== allowed && path !== build)
      .flatMap((path) => writingUses(readFileSync(join(root, path), "utf8")).map((use) => `${path}: ${use}`));
    expect(uses).toEqual([]);
    expect(writingUses(readFileSync(join(root, allowed), "utf8"))).toContain("renameSync");
  });

  test.each([
    'import { writeFileSync } from "node:fs";',
    'import { readFileSync,\n  createWriteStream } from "fs";',
    'import * as fs from "node:fs";',
    'import { appendFile } from "node:fs/promises";',
    'const fs = await import("node:fs");',
    'import { openSync } from "node:fs";\nopenSync(join(a, b), "w");',
  ])("finds %j", (text) => {
    expect(writingUses(text)).not.toEqual([]);
  });
});

describe("a file that is replaced", () => {
  test("keeps its mode and its owner; a new one has the mode of any new file", () => {
    const folder = temporaryFolder();
    const path = join(folder, "a");
    writeFileSync(path, "old", { mode: 0o644 });
    chmodSync(path, 0o751);
    const { uid, gid } = statSync(path);
    replaceFile(path, "new");
    expect(statSync(path)).toMatchObject({ mode: 0o100751, uid, gid });
    expect(readFileSync(path, "utf8")).toBe("new");
    const before = process.umask(0o027);
    onTestFinished(() => void process.umask(before));
    replaceFile(join(folder, "b"), "");
    expect(statSync(join(folder, "b")).mode).toBe(0o100640);
    expect(leftIn(folder)).toEqual([]);
  });

  test("is the one that symbolic links lead to, whether or not it is there", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "inner"));
    symlinkSync("inner", join(folder, "shortcut"));
    symlinkSync("../target", join(folder, "inner/link"));
    const path = join(folder, "shortcut/link");
    for (const text of ["first", "second"]) {
      replaceFile(path, text);
      expect(readFileSync(join(folder, "target"), "utf8")).toBe(text);
      expect(readlinkSync(path)).toBe("../target");
    }
    symlinkSync("circle", join(folder, "circle"));
    expect(() => replaceFile(join(folder, "circle"), "")).toThrow(/circle|ELOOP/);
  });

  test("is none where the path is a device, a pipe, or a stream of the process", patient, () => {
    const folder = temporaryFolder();
    replaceFile("/dev/null", "nothing");
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
    const path = join(folder, "out");
    execFileSync("sh", ["-c", `(echo before; "$0" "$1" eval 1 >&2; "$0" "$1" plot 1+range\\(2\\) --svg /dev/stdout; echo after) > "$2"`, process.execPath, command, path], { stdio: "ignore" }); // biome-ignore format: a line of a shell
    expect(readFileSync(path, "utf8")).toMatch(/^before\n<svg[\s\S]*<\/svg>\nafter\n$/);
  });

  test.skipIf(isRoot)("must be one that may be written, and not only in such a folder", () => {
    const path = join(temporaryFolder(), "a");
    writeFileSync(path, "old", { mode: 0o400 });
    expect(() => replaceFile(path, "new")).toThrow("EACCES");
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  test("stays as it is where the new content cannot be written, and no temporary file is left", () => {
    const folder = temporaryFolder();
    const path = join(folder, "a");
    writeFileSync(path, "old");
    const unwritable = new Proxy(new Uint8Array(1), {}); // no bytes to Node
    expect(() => replaceFile(path, unwritable)).toThrow();
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a"]);
  });
});

/** The arguments of commands that write a file, by the name of the file; what it has before, and afterwards. */
interface Writing {
  readonly file: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly before: string;
  /** What is said to be unwritable on a full disk, where that is not the file. */
  readonly shown?: string;
}

const count = 3000;
const loose = Array.from({ length: count }, (_, at) => `a${at}   =   ${at}+1\n`).join("");
const literal = `tensor(x[${count}]):[${Array.from({ length: count }, (_, at) => at).join(",")}]`;
const rankTest = `profile: p\ncases:\n${Array.from({ length: 50 }, (_, at) => `  - {name: t${at}, expect: {score: 1}}\n`).join("")}`;

const state = (count: number): string =>
  `${JSON.stringify({ sphex: "state", version: 1, tensors: { n: `tensor():{${count}.0}` } }, undefined, 2)}\n`;

// biome-ignore format: a table
const writings: readonly Writing[] = [
  { file: "loose.sphex",   args: ["fmt", "loose.sphex"],                             before: loose },
  { file: "out.json",      args: ["convert", "in.txt", "out.json"],                  before: "old json\n".repeat(5000) },
  { file: "out.npy",       args: ["convert", "in.txt", "out.npy"],                   before: "old npy\n".repeat(5000) },
  { file: "out.svg",       args: ["plot", "range(x[1000])", "--svg", "out.svg"],     before: "old svg\n".repeat(5000) },
  { file: "report.xml",    args: ["test", "--junit", "report.xml"],                  before: "old report\n".repeat(5000) },
  { file: "state.json",    args: ["run", "count.sphex", "--state", "state.json"],    before: state(5) },
  { file: "weights.json",  args: ["train", "line.sphex", "--data", "line.csv", "--epochs", "1", "--out", "weights.json"], before: "old weights\n".repeat(5000) },
  { file: "net/net.npz",   args: ["import", "net.onnx", "--out", "net"],             before: "old net\n".repeat(5000), shown: "net" },
  { file: "session.sphex", args: ["repl"], stdin: `t = ${literal}\n.save session.sphex\n`, before: "old session\n".repeat(5000) },
];

function prepare(folder: string): void {
  writeFileSync(join(folder, "in.txt"), literal);
  mkdirSync(join(folder, "schemas"), { recursive: true });
  const schema =
    "schema s {\n  document s {}\n  rank-profile p {\n    first-phase { expression: 1 }\n  }\n}\n";
  writeFileSync(join(folder, "schemas/s.sd"), schema);
  writeFileSync(join(folder, "t.rank-test.yaml"), rankTest);
  writeFileSync(join(folder, "count.sphex"), "persistent n = 0\nassign n = n + 1\nn");
  writeFileSync(
    join(folder, "line.sphex"),
    "input x: tensor(b[])\ninput y: tensor(b[])\nvariable w = 0\nloss = sum((w * x - y)^2)\nminimise loss",
  );
  writeFileSync(join(folder, "line.csv"), "y,x\n3,1\n6,2\n");
  writeFileSync(join(folder, "net.onnx"), layer(raw(floats([1, -1, 2, 0, 0, 3]))));
  mkdirSync(join(folder, "net"), { recursive: true });
}

function begin({ args, stdin = "" }: Writing, folder: string): ChildProcess {
  const child = spawn(process.execPath, [command, ...args], {
    cwd: folder,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin?.on("error", () => undefined); // it was killed before it read
  child.stdin?.end(stdin);
  return child;
}

/** Ends a process after so many milliseconds, or so many after it touched the folder. */
async function killed(child: ChildProcess, delay: number, folder?: string): Promise<void> {
  const ended = once(child, "exit");
  const kill = (): void => void setTimeout(() => child.kill("SIGKILL"), delay);
  const watcher = folder === undefined ? undefined : watch(folder, kill);
  if (folder === undefined) kill();
  await ended;
  watcher?.close();
}

const times = Number(process.env.TIMES ?? 1);

describe("killed at any moment", () => {
  test.each(writings)("$file is whole", { timeout: 300_000 * times }, async (writing) => {
    const folder = temporaryFolder();
    prepare(folder);
    const path = join(folder, writing.file);
    const elapsed = stopwatch();
    writeFileSync(path, writing.before);
    await once(begin(writing, folder), "exit");
    const duration = elapsed();
    const after = readFileSync(path);
    expect(after.equals(Buffer.from(writing.before))).toBe(false);
    const chance = numbersByChance();
    const seen = { before: 0, after: 0 };
    for (let run = 0; run < 4 * times; run++) {
      writeFileSync(path, writing.before);
      // Most are killed in the middle of their writing, some of them anywhere.
      const isAnywhere = run % 4 === 3;
      await killed(
        begin(writing, folder),
        chance() * (isAnywhere ? duration : 4),
        isAnywhere ? undefined : folder,
      );
      const found = readFileSync(path);
      const content = found.equals(after)
        ? "after"
        : found.equals(Buffer.from(writing.before))
          ? "before"
          : undefined;
      expect(content, `${found.length} bytes`).toBeDefined();
      seen[content ?? "before"]++;
    }
    console.info(`${writing.file}: ${seen.before} old, ${seen.after} new`);
  });

  test("a file that is replaced again and again is whole", { timeout: 300_000 * times }, async () => {
    const folder = temporaryFolder();
    const path = join(folder, "file");
    const size = 300_000;
    const script = `const { replaceFile } = require(${JSON.stringify(join(root, "dist/command.cjs"))});
      for (let at = 0; ; at++) replaceFile(${JSON.stringify(path)}, "abcdefgh"[at % 8].repeat(${size}));`;
    writeFileSync(path, "z".repeat(size));
    const chance = numbersByChance();
    const runs = 12 * times;
    for (let run = 0; run < runs; run++) {
      const child = spawn(process.execPath, ["--eval", script], { stdio: "ignore" });
      await killed(child, chance() * 60, folder);
      const text = readFileSync(path, "utf8");
      expect(text).toBe((text[0] ?? "").repeat(size));
    }
    console.info(`${runs} runs, ${leftIn(folder).length} temporary files left by SIGKILL`);
  });
});

test("of two runs at once, the last one wins whole", patient, async () => {
  const folder = temporaryFolder();
  const path = join(folder, "both.svg");
  const text = (expression: string) => sphex(["plot", expression, "--svg", "-"], folder).stdout;
  const expressions = ["range(x[500])", "range(x[400]) * 2"];
  const alone = expressions.map(text);
  for (let round = 0; round < 3; round++) {
    const children = expressions.map((each) =>
      spawn(process.execPath, [command, "plot", each, "--svg", path], { stdio: "ignore" }),
    );
    await Promise.all(children.map((each) => once(each, "exit")));
    expect(alone).toContain(readFileSync(path, "utf8"));
    expect(leftIn(folder)).toEqual([]);
  }
});

/** A folder on a disk of its own that holds so many kilobytes; undefined where that is not allowed. */
function smallDisk(kilobytes: number): string | undefined {
  const folder = temporaryFolder();
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder]);
  if (status !== 0) return undefined;
  onTestFinished(() => void spawnSync("umount", [folder]));
  return folder;
}

describe("on a full disk", () => {
  test.each(writings)("$file stays as it is", patient, (writing) => {
    const folder = smallDisk(256);
    if (folder === undefined) return console.info("skipped: only root on Linux may make a small disk");
    prepare(folder);
    const path = join(folder, writing.file);
    writeFileSync(path, writing.before);
    const filler = join(folder, "filler");
    for (let size = 4096; size > 0; )
      try {
        writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
      } catch {
        size >>= 1;
      }
    const { status, stderr } = spawnSync(process.execPath, [command, ...writing.args], {
      cwd: folder,
      input: writing.stdin ?? "",
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual(
      writing.stdin === undefined
        ? {
            status: 2,
            stderr: `sphex: cannot write ${writing.shown ?? writing.file}: there is no room left\n`,
          }
        : { status: 1, stderr: `cannot write ${writing.file}: there is no room left\n` },
    );
    expect(readFileSync(path, "utf8")).toBe(writing.before);
    expect(leftIn(folder)).toEqual([]);
    expect(existsSync(filler)).toBe(true);
  });
});
