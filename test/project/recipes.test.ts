import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { patient } from "../patience.js";

/** The recipes of examples/library run as they are, on the package as it is built, and print what stands at their ends. */
const folder = new URL("../../examples/library/", import.meta.url);
const recipes = readdirSync(folder).filter((name) => name.endsWith(".js"));
const run = promisify(execFile);

test("there are ten, and the page of recipes has all of them", () => {
  expect(recipes).toHaveLength(10);
  const page = readFileSync(new URL("README.md", folder), "utf8");
  for (const recipe of recipes) expect(page).toContain(`](${recipe})`);
});

test.each(recipes)("%s prints what it says", patient, async (name) => {
  const path = fileURLToPath(new URL(name, folder));
  const expected = [...readFileSync(path, "utf8").matchAll(/^\/\/> (.*)$/gm)].map(([, line]) => line);
  expect(expected.length).toBeGreaterThan(1);
  const { stdout, stderr } = await run(process.execPath, [path], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout.trimEnd().split("\n")).toEqual(expected);
});
