import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseTensor } from "../../src/index.js";
import { linkTo } from "../../src/vespa/compat/link.js";
import { type Case, casesOf, hasCases } from "../conformance/cases.js";
import { cellDifference } from "../conformance/equality.js";
import { patient } from "../patience.js";
import { browserPath, PageBrowser } from "./browser.js";

/** The programs of Vespa's documentation, each from its link to the playground, with the values that Vespa's engine has. */
const isPossible = browserPath !== undefined && hasCases("playground");

/** In milliseconds: Chromium drops what a page saves beyond ten files in a second. */
const betweenDownloads = 120;

type DocumentedCase = Case & { readonly source: string };

/** The cells of a program with their names, which the cases have one by one: `page.html:30 step 2 name`. */
const programs = new Map<string, DocumentedCase[]>();
for (const each of casesOf<DocumentedCase>("playground")) {
  const [program = ""] = each.source.split(" step ");
  programs.set(program, [...(programs.get(program) ?? []), each]);
}

const nameOf = ({ source }: DocumentedCase): string => / step \d+ ?(.*)$/.exec(source)?.[1] ?? "";

const formula = (name: string, text: string) => ({ kind: "formula", name, expression: text }) as const;

/** Cells that a program reads and that are no cases: with the values that they had. */
function absentCells(cases: readonly DocumentedCase[]): readonly ReturnType<typeof formula>[] {
  const names = new Set(cases.map(nameOf));
  const read = new Map(cases.flatMap(({ vars }) => Object.entries(vars)));
  return [...read]
    .filter(([name]) => !names.has(name))
    .map(([name, value]) => formula(name, literalOf(value)));
}

const literalOf = (value: Case["vars"][string]): string =>
  typeof value === "object" && "value" in value ? `${value.value}` : `${value}`;

/** What the page saves of a cell. */
interface SavedCell {
  readonly text: string;
  readonly values: readonly { readonly value: string }[];
}

describe.skipIf(!isPossible)("links of the documentation in a browser", patient, () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await PageBrowser.start();
  });
  afterAll(() => browser.stop());

  test("each opens, one after the other in one page, and its cells have the values of Vespa's engine", async () => {
    let compared = 0;
    const page = await browser.open(null);
    const asJson = page.getByRole("button", { name: "JSON with values" });
    for (const [source, cases] of programs) {
      const absent = absentCells(cases);
      const cells = cases.map((each) => formula(nameOf(each), each.expr));
      const link = await linkTo([...absent, ...cells]);
      const before = await page.locator(".cell").first().getAttribute("data-cell");
      await page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        link.slice(link.indexOf("#")),
      );
      // Cells of another document have other numbers.
      await page.waitForFunction(
        ([count, id]) =>
          document.querySelectorAll(".cell .result").length === count &&
          document.querySelector<HTMLElement>(".cell")?.dataset.cell !== id,
        [absent.length + cases.length, before] as const,
      );
      if (!(await asJson.isVisible())) await page.getByRole("button", { name: "Share", exact: true }).click();
      await page.waitForTimeout(betweenDownloads);
      const [download] = await Promise.all([page.waitForEvent("download"), asJson.click()]);
      const saved: { readonly cells: readonly SavedCell[] } = JSON.parse(
        readFileSync(await download.path(), "utf8"),
      );
      for (const [at, { expr, cpp }] of cases.entries()) {
        const { text, values } = saved.cells[absent.length + at] ?? { text: "", values: [] };
        expect(text, source).toBe(expr);
        if (cpp?.cells === undefined) continue;
        const [value] = values;
        const difference =
          value === undefined ? "no value" : cellDifference(parseTensor(value.value), cpp.cells);
        expect(difference, `${source}: ${expr}`).toBe(undefined);
        compared++;
      }
    }
    await page.context().close();
    expect(compared).toBeGreaterThan(100);
    expect(browser.errors).toEqual([]);
  });
});
