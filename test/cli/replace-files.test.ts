import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { lockFile, makeFolderOf, replaceFileBy, replaceFiles } from "../../src/cli/files/replace-file.js";
import { numbersByChance } from "../chance.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";

/** Files that belong together, folders, files that something else writes, and locks: all or nothing, and one at a time. */
const built = fileURLToPath(new URL("../../dist/command.cjs", import.meta.url));

/** A process that runs a script with what writes files. */
const script = (text: string): ChildProcess =>
  spawn(process.execPath, ["--eval", `const files = require(${JSON.stringify(built)});\n${text}`], {
    stdio: ["ignore", "pipe", "ignore"],
  });

const times = Number(process.env.TIMES ?? 1);

describe("files that belong together", () => {
  test("are replaced", () => {
    const folder = temporaryFolder();
    const [one, other] = [join(folder, "a"), join(folder, "b")];
    writeFileSync(one, "old");
    replaceFiles([
      [one, "new"],
      [other, "new, too"],
    ]);
    expect([readFileSync(one, "utf8"), readFileSync(other, "utf8")]).toEqual(["new", "new, too"]);
    expect(readdirSync(folder).sort()).toEqual(["a", "b"]);
  });

  test("stay as they are where one of them cannot be written", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a"), "old");
    mkdirSync(join(folder, "b"));
    const files = ["a", "b", "c"].map((name): [string, string] => [join(folder, name), "new"]);
    expect(() => replaceFiles(files)).toThrow("folder");
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("old");
    expect(readdirSync(folder).sort()).toEqual(["a", "b"]);
  });
});

describe("a new folder", () => {
  test("has all of its files", () => {
    const folder = temporaryFolder();
    makeFolderOf(join(folder, "x/app"), [
      ["schemas/a.sd", "schema"],
      ["services.xml", "services"],
    ]);
    expect(readFileSync(join(folder, "x/app/schemas/a.sd"), "utf8")).toBe("schema");
    expect(readdirSync(join(folder, "x"))).toEqual(["app"]);
  });

  test("is not there where one of them cannot be written", () => {
    const folder = temporaryFolder();
    const files: [string, string][] = [
      ["a", "text"],
      ["a/b", "a file is no folder"],
    ];
    expect(() => makeFolderOf(join(folder, "app"), files)).toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is whole or is not there, whenever the process is killed", { timeout: 300_000 * times }, async () => {
    const folder = temporaryFolder();
    const chance = numbersByChance();
    let whole = 0;
    for (let run = 0; run < 4 * times; run++) {
      const child = script(`
        const content = "x".repeat(100000);
        process.stdout.write("begin");
        for (let at = 0; ; at++) files.makeFolderOf(${JSON.stringify(folder)} + "/${run}-" + at, [["a", content], ["b/c", content]]);`);
      const ended = once(child, "exit");
      if (child.stdout !== null) await once(child.stdout, "data");
      setTimeout(() => child.kill("SIGKILL"), chance() * 300);
      await ended;
      for (const name of readdirSync(folder).filter((each) => each.startsWith(`${run}-`))) {
        for (const path of ["a", "b/c"]) expect(statSync(join(folder, name, path)).size).toBe(100_000);
        whole++;
      }
    }
    console.info(`${4 * times} runs, ${whole} folders whole`);
  });
});

describe("a file that is written behind its end", () => {
  test("has all of its old lines, and new ones whole but the last, whenever the process is killed", {
    timeout: 300_000 * times,
  }, async () => {
    const folder = temporaryFolder();
    const path = join(folder, "history");
    const code = join(folder, "code.cjs");
    const entryPoints = [fileURLToPath(new URL("../../src/cli/files/replace-file.ts", import.meta.url))];
    buildSync({ entryPoints, outfile: code, bundle: true, platform: "node", format: "cjs" });
    writeFileSync(path, "");
    const chance = numbersByChance();
    const line = "y".repeat(3999);
    let before = "";
    for (let run = 0; run < 4 * times; run++) {
      const child = script(`
        const { appendToFile } = require(${JSON.stringify(code)});
        process.stdout.write("begin");
        for (;;) appendToFile(${JSON.stringify(path)}, "y".repeat(3999) + "\\n", 0o600);`);
      const ended = once(child, "exit");
      if (child.stdout !== null) await once(child.stdout, "data");
      setTimeout(() => child.kill("SIGKILL"), chance() * 50);
      await ended;
      const text = readFileSync(path, "utf8");
      expect(text.startsWith(before)).toBe(true);
      const lines = text.slice(before.length).split("\n");
      const last = lines.pop() ?? "";
      expect(line.startsWith(last)).toBe(true);
      expect(new Set(lines).size).toBeLessThanOrEqual(1);
      for (const each of new Set(lines)) expect(each).toBe(line);
      // As the next session would begin: what was cut is behind what others begin.
      writeFileSync(path, lines.length === 0 ? before : `${before}${line}\n`);
      before = readFileSync(path, "utf8");
    }
    console.info(`${4 * times} runs`);
  });
});

describe("a file that something else writes", () => {
  test("is replaced when it is whole, with its mode, through its symbolic link", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "target.csv"), "old");
    chmodSync(join(folder, "target.csv"), 0o640);
    symlinkSync("target.csv", join(folder, "link.csv"));
    await replaceFileBy(join(folder, "link.csv"), async (path) => {
      expect(path).toMatch(/\.csv$/);
      writeFileSync(path, "half");
      expect(readFileSync(join(folder, "target.csv"), "utf8")).toBe("old");
      writeFileSync(path, "whole");
    });
    expect(readFileSync(join(folder, "target.csv"), "utf8")).toBe("whole");
    expect(statSync(join(folder, "target.csv")).mode).toBe(0o100640);
    expect(readdirSync(folder).sort()).toEqual(["link.csv", "target.csv"]);
  });

  test("stays as it is where that fails", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a"), "old");
    const failing = replaceFileBy(join(folder, "a"), async (path) => {
      writeFileSync(path, "half");
      throw new Error("no room");
    });
    await expect(failing).rejects.toThrow("no room");
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  test("is what an engine makes of a program, too", patient, () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "p.sphex"), "tensor(k{}):{a:1,b:2}");
    writeFileSync(join(folder, "target.csv"), "old");
    symlinkSync("target.csv", join(folder, "out.csv"));
    const command = join(dirname(dirname(built)), "bin/sphex.js");
    const sphex = (...args: readonly string[]) =>
      spawnSync(process.execPath, [command, ...args], { cwd: folder, encoding: "utf8" });
    expect(sphex("run", "p.sphex", "--on", "duckdb", "--into", "out.csv")).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(readFileSync(join(folder, "target.csv"), "utf8")).toMatch(/^k,.*\na,1/);
    const { stderr } = sphex("run", "p.sphex", "--on", "duckdb", "--into", "out.txt");
    expect(stderr).toContain("out.txt");
    const missing = sphex("run", "p.sphex", "--on", "duckdb", "--into", "none/out.csv");
    expect(missing).toMatchObject({
      status: 2,
      stderr: `sphex: cannot write ${join(folder, "none/out.csv")}: there is no such folder\n`,
    });
    expect(readdirSync(folder).sort()).toEqual(["out.csv", "p.sphex", "target.csv"]);
  });
});

describe("a lock", () => {
  const isLocked = (path: string): boolean => {
    try {
      lockFile(path)();
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: "ELOCKED" });
      return true;
    }
  };

  test("is held until it is let go", () => {
    const path = join(temporaryFolder(), "a");
    const release = lockFile(path);
    expect(isLocked(path)).toBe(true);
    release();
    expect(isLocked(path)).toBe(false);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("of a process that has ended counts no more, at whatever moment that was", () => {
    const path = join(temporaryFolder(), "a");
    const { pid } = spawnSync(process.execPath, ["--version"]);
    // This process, too, may have the number of one that has ended.
    for (const owner of [`${pid}`, `${process.pid}`, "", "no number", "-1", "0"]) {
      writeFileSync(`${path}.lock`, owner);
      writeFileSync(`${path}.lock.lock`, owner);
      expect(isLocked(path), owner).toBe(false);
    }
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test(
    "is had by one process of many that begin at once, also behind one that has ended",
    patient,
    async () => {
      const path = join(temporaryFolder(), "a");
      const { pid } = spawnSync(process.execPath, ["--version"]);
      for (const isBehind of [false, true, true]) {
        if (isBehind) writeFileSync(`${path}.lock`, `${pid}`);
        const children = Array.from({ length: 6 }, () =>
          script(`
          try {
            files.lockFile(${JSON.stringify(path)});
            process.stdout.write("held");
          } catch (error) {
            process.stdout.write(error.code);
          }
          setInterval(() => {}, 1000);`),
        );
        const answers = await Promise.all(
          children.map(async ({ stdout }) => (stdout === null ? "" : `${await once(stdout, "data")}`)),
        );
        for (const child of children) child.kill("SIGKILL");
        await Promise.all(children.map((child) => once(child, "exit")));
        expect(answers.filter((each) => each === "held")).toHaveLength(1);
        expect(answers.filter((each) => each === "ELOCKED")).toHaveLength(5);
      }
    },
  );
});
