import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";

/** `sphex fmt`, as the built command. What a layout is, print.test.ts says. */
const command = fileURLToPath(new URL("../../bin/sphex.js", import.meta.url));
const folder = temporaryFolder();
const loose = "a=1+2 # three\n\n\n\nsum( tensor(x[2]):[1,2] )";
const tidy = "a = 1 + 2 # three\n\nsum(tensor(x[2]):[1, 2])\n";

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const fmt = (...args: readonly string[]) =>
  spawnSync(process.execPath, [command, "fmt", ...args], { encoding: "utf8" });

test("rewrites files where they stand, and stdin to stdout", patient, () => {
  const path = file("loose.sphex", loose);
  expect(fmt(path).status).toBe(0);
  expect(readFileSync(path, "utf8")).toBe(tidy);
  expect(execFileSync(process.execPath, [command, "fmt", "-"], { input: loose, encoding: "utf8" })).toBe(
    tidy,
  );
});

test("--check writes nothing, names the files that would change, and fails for them", patient, () => {
  const [good, bad] = [file("good.sphex", tidy), file("bad.sphex", loose)];
  const { status, stdout } = fmt("--check", good, bad);
  expect(status).toBe(1);
  expect(stdout).toBe(`${bad}\n`);
  expect(readFileSync(bad, "utf8")).toBe(loose);
  expect(fmt("--check", bad, good).status).toBe(1);
  expect(fmt("--check", good).status).toBe(0);
});

test("a file that cannot be read is told of, and those behind it are laid out", patient, () => {
  const path = file("behind.sphex", loose);
  const { status, stderr } = fmt(join(folder, "none.sphex"), path);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `sphex: cannot read ${join(folder, "none.sphex")}: there is no such file\n`,
  });
  expect(readFileSync(path, "utf8")).toBe(tidy);
});

test("a program with a mistake of syntax stays as it is", patient, () => {
  const path = file("broken.sphex", "a = (1\n");
  const { status, stderr } = fmt(path);
  expect(status).toBe(1);
  expect(stderr).toContain("syntax/unclosed");
  expect(readFileSync(path, "utf8")).toBe("a = (1\n");
});
