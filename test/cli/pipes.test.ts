import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";

/** The built command between real pipes: what comes out is for programs, and who stops reading breaks nothing. */
const command = fileURLToPath(new URL("../../bin/sphex.js", import.meta.url));
const folder = temporaryFolder();
beforeAll(() => {
  writeFileSync(join(folder, "x.sphex"), "a = tensor(x[3]):[1,2,3]\na\nsum(a)\n");
});

const sphex = (args: readonly string[], input = "") =>
  spawnSync(process.execPath, [command, ...args], { cwd: folder, input, encoding: "utf8" });

/** Reads the first of what the command writes, and no more. */
function glance(args: readonly string[]): Promise<{ first: string; code: number | null; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [first, err] = ["", ""];
    child.stdout.once("data", (chunk) => {
      first = `${chunk}`;
      child.stdout.destroy();
    });
    child.stderr.on("data", (chunk) => (err += chunk));
    child.on("close", (code) => resolve({ first, code, err }));
  });
}

// biome-ignore format: a table
test.each([
  { args: ["eval", "tensor(x[300000])(x)"],  begins: "tensor(x[300000]):[0.0, 1.0" },
  { args: ["prelude"],                       begins: "# Vectors" },
  { args: ["--help"],                        begins: "Usage: sphex" },
  { args: ["completions", "zsh"],            begins: "#" },
])("$args may be read in part", patient, async ({ args, begins }) => {
  const { first, code, err } = await glance(args);
  expect(first.startsWith(begins)).toBe(true);
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

describe("what is piped", patient, () => {
  test("is JSON for whoever wants it, problems as well", () => {
    const { stdout, stderr, status } = sphex(["run", "x.sphex", "--json"]);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(JSON.parse(stdout).results.map(({ value }: { value: string }) => value)).toEqual([
      "tensor(x[3]):[1.0, 2.0, 3.0]",
      "tensor():{6.0}",
    ]);
    const wrong = sphex(["eval", "missing + 1", "--json"]);
    expect(JSON.parse(wrong.stdout).problems[0].code).toBe("name/unknown");
    expect(wrong.status).toBe(1);
  });

  test("has no colour and no progress, whatever it takes", () => {
    const long = "sum(tensor(x[1500],y[1000])(sin(x * y + x)))";
    for (const args of [
      ["eval", long],
      ["plot", "tensor(x[3],y[3])(x * y)"],
      ["eval", "missing"],
      ["explain", "1 + 1"],
    ]) {
      const { stdout, stderr } = sphex(args);
      expect(stdout + stderr).not.toContain("\u001b");
      expect(stdout + stderr).not.toContain("Ctrl-C");
    }
  });
});

test.skipIf(!existsSync("/dev/full"))("a full disk is no mistake of ours", patient, () => {
  const full = openSync("/dev/full", "w");
  const stdio = ["ignore", full, "pipe"] as const;
  const { status, stderr } = spawnSync(process.execPath, [command, "eval", "1+1"], {
    stdio: [...stdio],
    encoding: "utf8",
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: "sphex: cannot write the output: no space left on device\n",
  });
});
