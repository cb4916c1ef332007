import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../patience.js";
import { browserPath, editorOf, expression, PageBrowser, resultOf } from "./browser.js";

/** What is seen of the page: labels, colours, announcements, and panels that follow the document. */
describe.skipIf(browserPath === undefined)("the page is looked at", patient, () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await PageBrowser.start();
  });
  afterAll(() => browser.stop());

  test("where colours are forced, what is chosen and what lights up has the highlight of the system", async () => {
    const page = await browser.open(
      { cells: [expression("tensor(x[2]):[1,2]", "a"), expression("a + 1")] },
      { forcedColors: "active" },
    );
    await resultOf(page, 1).locator("td", { hasText: "3" }).click();
    const lit = resultOf(page, 0).locator("td.lit");
    await lit.waitFor();
    // Backgrounds change in a moment.
    const differing = async () => {
      const all = await page.locator("td:not(.none), button[aria-pressed]").evaluateAll((each) =>
        each.map((one) => ({
          isChosen: one.ariaPressed === "true" || one.matches(".lit"),
          colour: getComputedStyle(one).backgroundColor,
        })),
      );
      const chosen = all.filter(({ isChosen }) => isChosen).map(({ colour }) => colour);
      return [
        new Set(chosen).size,
        all.filter(({ isChosen, colour }) => !isChosen && chosen.includes(colour)).length,
      ];
    };
    await expect.poll(differing).toEqual([1, 0]);
    await page.context().close();
  });

  test("a long label is clipped, and whole where the keyboard is at its cells", async () => {
    const label = "label ".repeat(33);
    const page = await browser.open({
      cells: [expression(`tensor(k{},m{}):{{k:"${label}",m:a}:1,{k:b,m:"${label}"}:2} + 0`)],
    });
    const above = page.getByRole("columnheader", { name: label.trim() });
    const beside = page.getByRole("rowheader", { name: label.trim() });
    await beside.waitFor();
    for (const header of [above, beside]) {
      const size = await header.boundingBox();
      expect(size?.width).toBeLessThan(260);
      expect(size?.height).toBeLessThan(30);
    }
    const isWhole = async () =>
      [await above.boundingBox(), await beside.boundingBox()].map((size) => (size?.height ?? 0) > 60);
    const cellOf = (number: string) => page.getByRole("cell", { name: number, exact: true });
    await page.keyboard.press("Tab");
    await cellOf("1").focus();
    await expect.poll(isWhole).toEqual([false, true]);
    await cellOf("2").focus();
    await expect.poll(isWhole).toEqual([true, false]);
    await page.context().close();
  });

  test.each([1500, 800, 390])("what is announced lies over no panel of a page %d wide", async (width) => {
    const page = await browser.open(
      { cells: [expression("1", "a"), expression("2", "b")] },
      { viewport: { width, height: 800 } },
    );
    await page.getByRole("button", { name: "Keys", exact: true }).click();
    const panel = page.getByRole("complementary", { name: "Keys" });
    await panel.waitFor();
    await page.locator(".cell").nth(1).focus();
    await page.keyboard.press("x");
    const said = page.getByRole("status");
    await said.getByText("undo brings it back").waitFor();
    const [one, other] = [await said.boundingBox(), await panel.boundingBox()];
    if (one === null || other === null) throw new Error("nothing is shown");
    expect(one.y).toBeGreaterThan(0);
    expect(one.y + one.height).toBeLessThan(800);
    expect(one.x + one.width <= other.x || one.y + one.height <= other.y).toBe(true);
    await page.context().close();
  });

  test("how a cell is computed is told of the values that it has now", async () => {
    const page = await browser.open({ cells: [expression("2", "a"), expression("a * 3")] });
    const second = page.locator(".cell").nth(1);
    await second.hover();
    await second.getByRole("button", { name: "Explain" }).click();
    const input = page.locator(".explain .node", { hasText: "input a" });
    await input.getByText("1 cell · 2 ·").waitFor();
    await editorOf(page, 0).click();
    await page.keyboard.press("End");
    await page.keyboard.type("1");
    await input.getByText("1 cell · 21 ·").waitFor();
    await second.focus();
    await page.keyboard.press("x");
    await page.getByText("The cell has no value.").waitFor();
    await page.context().close();
  });

  test("nothing was logged as an error", () => {
    expect(browser.errors).toEqual([]);
  });
});
