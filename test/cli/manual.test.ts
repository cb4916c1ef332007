import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { describedCommand } from "../../src/cli/main.js";
import { manualPage, readmeTables } from "../../src/cli/manual.js";

/** The manual page that is installed with the package: npm run manual writes it. */
const io = {
  ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() },
  ...{ isTTY: { stdin: false, stderr: false }, cwd: ".", env: {} },
  repl: () => import("../../src/repl/terminal/terminal.js"),
};

const page = manualPage(describedCommand(io));

test("the page that package.json names has all commands and their options", async () => {
  const { man } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(man).toBe("./grammar/sphex.1");
  await expect(page).toMatchFileSnapshot("../../grammar/sphex.1");
});

test("the tables of README.md have all commands, and the options that several of them have", async () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [before = "", rest = ""] = readme.split("<!-- commands: npm run manual -->\n");
  const [, behind = ""] = rest.split("<!-- end of commands -->\n");
  const tables = readmeTables(describedCommand(io));
  const page = `${before}<!-- commands: npm run manual -->\n${tables}\n<!-- end of commands -->\n${behind}`;
  await expect(page).toMatchFileSnapshot("../../README.md");
  expect(tables.split("\n").length).toBeGreaterThan(30);
});

test("a line of it is a request of man only where we wrote one", () => {
  const requests = page.split("\n").filter((line) => /^[.']/.test(line));
  expect(requests.filter((line) => !/^\.(?:TH|SH|SS|TP|B|br)\b/.test(line))).toEqual([]);
  expect(page).toContain('.SS "sphex run');
  expect(page).toContain("\\-\\-max\\-steps");
});
