import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expression, type PageBrowser } from "../browser.js";
import { type Finding, none } from "./finding.js";

/** Whether everybody can use the page: at three widths, in both themes, with each of its panels. */

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const widths = [390, 820, 1440];
const schemes = ["light", "dark"] as const;
const panels = [undefined, "Learn", "Rank profile", "Share", "Keys"];

/** Something of each kind: a remark, a number, a table, a large table, a picture, a mistake, what is not finite, a long name. */
const cells = [
  {
    kind: "remark",
    text: "# Title\n\nText with `code` and [a link](https://example.com).\n\n| a | b |\n|---|---|\n| 1 | 2 |",
  },
  expression(
    "tensor<float>(d{},x[3]):{a:[1,2,3],b:[4,5,6]} * 2",
    "a_name_that_is_longer_than_there_is_room_for",
  ),
  expression("sum(a_name_that_is_longer_than_there_is_room_for)", "total"),
  expression("tensor(i[1000],j[1000])(1000*i+j)", "large"),
  { ...expression("tensor(i[12],j[20])(sin(i/3)*cos(j/5))", "wave"), views: { "": { kind: "heat" } } },
  expression("sofmax(total, d)", "mistake"),
  expression("log(0) * total"),
  expression(""),
];

export async function viewFindings(browser: PageBrowser): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const width of widths)
    for (const colorScheme of schemes) {
      const page = await browser.open({ cells }, { viewport: { width, height: 900 }, colorScheme });
      await page.locator(".scroller").waitFor();
      await page.locator("sphex-picture svg").waitFor();
      await page.evaluate(axe);
      const broken: string[] = [];
      const wide: string[] = [];
      for (const panel of panels) {
        if (panel !== undefined) await openPanel(page, panel);
        const name = panel ?? "cells";
        broken.push(...(await brokenRules(page)).map((each) => `${name}: ${each}`));
        const found = await page.evaluate(() => document.documentElement.scrollWidth);
        if (found > width) wide.push(`${name}: ${found} pixels`);
      }
      findings.push(none(`rules of axe that are broken, ${width} pixels, ${colorScheme}`, broken));
      if (wide.length > 0) findings.push(none(`wider than ${width} pixels, ${colorScheme}`, wide));
      await page.context().close();
    }
  return findings;
}

async function openPanel(page: Page, title: string): Promise<void> {
  await page.getByRole("button", { name: title, exact: true }).click();
  await page.getByRole("complementary", { name: title }).waitFor();
  const example = page.getByRole("button", { name: "Try an example" });
  if (title === "Rank profile") {
    await example.click();
    await page.locator(".profile table").first().waitFor();
  }
}

interface Broken {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What breaks a rule, those of contrast and of the size of what is pressed among them. */
async function brokenRules(page: Page): Promise<readonly string[]> {
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(context: Document, options: object): Promise<{ violations: Broken[] }> };
    };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    return (await axe.run(document, { runOnly: { type: "tag", values: tags } })).violations;
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = "" }) =>
        `${id}: ${html.slice(0, 120)} ${failureSummary.split("\n")[1] ?? ""}`,
    ),
  );
}
