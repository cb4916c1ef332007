import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";
import { confined } from "../../src/cli/files/confined-files.js";
import { command } from "../command.js";
import { temporaryFolder } from "../folder.js";

/** What programs of strangers may read: files of their own folder, and of those that the user allows. */
const { folder, run } = command();
const elsewhere = temporaryFolder();
const secret = "s3cret";

beforeAll(() => {
  mkdirSync(join(folder, "own/data"), { recursive: true });
  const value = "tensor(x[2]):[1,2]";
  for (const path of ["own/w.txt", "own/data/w.txt", "beside.txt", "own/..name"])
    writeFileSync(join(folder, path), value);
  writeFileSync(join(elsewhere, "w.txt"), value);
  writeFileSync(join(elsewhere, "secret.txt"), secret);
  writeFileSync(join(folder, "own/secret.txt"), `${secret} ${secret}`);
  writeFileSync(join(folder, "own/secret.csv"), `x,value\n${secret},1\n`);
  writeFileSync(join(folder, "own/secret.json"), `{"${secret}": ["${secret}"]}`);
  symlinkSync(join(elsewhere, "w.txt"), join(folder, "own/link.txt"));
  symlinkSync(elsewhere, join(folder, "own/link"));
  symlinkSync("w.txt", join(folder, "own/inner-link.txt"));
  symlinkSync("/dev/zero", join(folder, "own/zero"));
  symlinkSync("/proc/self/environ", join(folder, "own/environ"));
  execFileSync("mkfifo", [join(folder, "own/pipe")]);
  writeFileSync(join(folder, "own/huge.txt"), "");
  truncateSync(join(folder, "own/huge.txt"), 2 ** 32);
});

const programOf = (path: string): string =>
  `constant w: tensor(x[2]) = file(${JSON.stringify(path)})\nsum(w)\n`;

async function runProgram(path: string, ...flags: readonly string[]) {
  writeFileSync(join(folder, "own/p.sphex"), programOf(path));
  return await run(["run", "own/p.sphex", ...flags]);
}

test.each([
  "w.txt",
  "data/w.txt",
  "./data/../w.txt",
  "inner-link.txt",
  "..name",
])("file(%j) is read", async (path) => {
  expect(await runProgram(path)).toEqual({ code: 0, out: "3.0\n", err: "" });
});

const outside = "it lies outside of the program's folder";

// biome-ignore format: a table
test.each([
  { path: "../beside.txt",           reason: outside },
  { path: "data/../../beside.txt",   reason: outside },
  { path: "/etc/passwd",             reason: outside },
  { path: "/proc/self/environ",      reason: outside },
  { path: "/dev/zero",               reason: outside },
  { path: "../nothing-is-here",      reason: outside },
  { path: "link.txt",                reason: outside },
  { path: "link/w.txt",              reason: outside },
  { path: "zero",                    reason: outside },
  { path: "environ",                 reason: outside },
  { path: "w.txt\0.npy",             reason: outside },
  { path: "pipe",                    reason: "it is no file" },
  { path: "data",                    reason: "it is a folder" },
  { path: "huge.txt",                reason: "it has more than" },
  { path: "nothing-is-here",         reason: "there is no such file" },
])("file($path) is refused where it stands", async ({ path, reason }) => {
  const { code, out, err } = await runProgram(path);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/file\/unreadable[\s\S]*own\/p\.sphex:1:28/);
  expect(err.replace(/\s+/g, " ")).toContain(reason);
  expect(err).not.toContain(secret);
});

describe("--allow-read", () => {
  test("lets a program read files of another folder, by any path", async () => {
    for (const path of ["link.txt", "link/w.txt", join(elsewhere, "w.txt")])
      expect(await runProgram(path, "--allow-read", elsewhere)).toMatchObject({ code: 0, out: "3.0\n" });
    expect(await runProgram("../beside.txt", "--allow-read", ".")).toMatchObject({ code: 0 });
    expect(await runProgram("../beside.txt", "--allow-read", elsewhere)).toMatchObject({ code: 1 });
  });

  test("may be repeated, and is an option of all that compile a program", async () => {
    const path = join(elsewhere, "w.txt");
    expect((await runProgram(path, "--allow-read", "own/data", "--allow-read", elsewhere)).code).toBe(0);
    for (const name of ["check", "explain", "expand"]) {
      expect((await run([name, "own/p.sphex"])).code, name).toBe(1);
      expect((await run([name, "own/p.sphex", "--allow-read", elsewhere])).code, name).toBe(0);
    }
  });
});

test("a program from stdin, and what is typed, read the working folder and no other", async () => {
  expect(await run(["run", "-"], { stdin: [programOf("own/w.txt")] })).toMatchObject({
    code: 0,
    out: "3.0\n",
  });
  expect((await run(["run", "-"], { stdin: [programOf("/etc/passwd")] })).err).toContain(outside);
  expect(await run(["repl"], { stdin: [programOf("own/w.txt")] })).toMatchObject({ code: 0, out: "3.0\n" });
  expect((await run(["repl"], { stdin: [programOf("/etc/passwd")] })).err.replace(/\s+/g, " ")).toContain(
    outside,
  );
  const expression = 'sum(file("own/w.txt"))';
  expect((await run(["eval", expression])).code).toBe(1);
});

test("the REPL loads what the user names from anywhere, and what that names from beside it", async () => {
  writeFileSync(join(elsewhere, "p.sphex"), programOf("w.txt"));
  const path = join(elsewhere, "p.sphex");
  expect(await run(["repl"], { stdin: [`.load ${path}\n`] })).toMatchObject({ code: 0, out: "3.0\n" });
});

test.each([
  "secret.txt",
  "secret.csv",
  "secret.json",
])("a problem in %s shows nothing of it", async (path) => {
  for (const flags of [[], ["--json"]]) {
    const { code, out, err } = await runProgram(path, ...flags);
    expect(code).toBe(1);
    expect(out + err).toContain("file/content");
    expect(out + err).toContain(`${path}:`);
    expect(out + err).not.toContain(secret);
  }
});

test("a folder may be one that a symbolic link leads to, and the root is no way around", () => {
  const shortcut = join(temporaryFolder(), "shortcut");
  symlinkSync(join(folder, "own"), shortcut);
  const readers = (root: string) => confined({ folder: root, folders: [root], outside: "no" });
  expect(readers(shortcut).readFile("w.txt")).toBe("tensor(x[2]):[1,2]");
  expect(() => readers(shortcut).readFile("link.txt")).toThrow("no");
  expect(() => readers("/").readFile("proc/self/environ")).toThrow("no");
  expect(() => readers("/").readFile("dev/zero")).toThrow("it is no file");
});

test("an archive is counted against the limit of cells before it is unpacked, and while it is", async () => {
  const bomb = zipSync({ "a.npy": [new Uint8Array(20_000_000), { level: 9 }] });
  expect(bomb.length).toBeLessThan(100_000);
  const lying = bomb.slice();
  const view = new DataView(lying.buffer);
  view.setUint32(lying.length - 22 - 46 - "a.npy".length + 24, 100, true); // what the directory says of the size
  for (const bytes of [bomb, lying]) {
    writeFileSync(join(folder, "bomb.npz"), bytes);
    const { code, err } = await run(["convert", "bomb.npz", "-", "--to", "csv", "--max-cells", "100000"]);
    expect(code).toBe(1);
    expect(err).toMatch(/unpacked|100 bytes/);
  }
});

describe("a package", () => {
  test.each(["../secret.json", "link.json", "/etc/passwd", "pipe.json"])("names no file %s", async (path) => {
    const root = temporaryFolder();
    mkdirSync(join(root, "app/schemas"), { recursive: true });
    writeFileSync(join(root, "secret.json"), secret);
    symlinkSync("../secret.json", join(root, "app/link.json"));
    execFileSync("mkfifo", [join(root, "app/pipe.json")]);
    const profile = `rank-profile p { constants { c tensor(x[2]): file:${path} } }`;
    writeFileSync(
      join(root, "app/schemas/s.sd"),
      `schema s {\n  document s {}\n  constant c {\n    file: ${path}\n    type: tensor(x[2])\n  }\n  ${profile}\n}\n`,
    );
    const { code, err, out } = await run(["check", join(root, "app")]);
    expect(code).toBe(1);
    expect(out + err).not.toContain(secret);
  });
});
