import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { describedCommand } from "../src/cli/main.js";
import { manualPage } from "../src/cli/manual.js";

/** The manual page that is installed with the package: npm run manual writes it. */
const io = {
  ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() },
  ...{ isTTY: { stdin: false, stderr: false }, cwd: ".", env: {} },
  repl: () => import("../src/repl/terminal.js"),
};

const page = manualPage(describedCommand(io));

test("the page that package.json names has all commands and their options", async () => {
  const { man } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(man).toBe("./grammar/sphex.1");
  await expect(page).toMatchFileSnapshot("../grammar/sphex.1");
});

test("a line of it is a request of man only where we wrote one", () => {
  const requests = page.split("\n").filter((line) => /^[.']/.test(line));
  expect(requests.filter((line) => !/^\.(?:TH|SH|SS|TP|B|br)\b/.test(line))).toEqual([]);
  expect(page).toContain('.SS "sphex run');
  expect(page).toContain("\\-\\-max\\-steps");
});
