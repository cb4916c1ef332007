import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../patience.js";
import { browserPath, editorOf, expression, PageBrowser, resultOf } from "./browser.js";

/** The page in a browser: what somebody who writes on it sees. */
describe.skipIf(browserPath === undefined)("on the page", patient, () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await PageBrowser.start();
  });
  afterAll(() => browser.stop());

  test("a value is there as one types, and a mistake is underlined", async () => {
    const page = await browser.open();
    await editorOf(page, 0).click();
    await page.keyboard.type("tensor(x[3]):[1,2,3] * 2");
    await page.locator("td", { hasText: "6" }).waitFor();
    expect(await resultOf(page, 0).locator("td").allInnerTexts()).toEqual(["2", "4", "6"]);
    await page.keyboard.type(" + nosuch");
    await page.locator(".cm-lintRange-error", { hasText: "nosuch" }).waitFor();
    await resultOf(page, 0).getByText("nothing here is called nosuch").waitFor();
    await page.context().close();
  });

  test("a mistake is mended by a click below it, and undo brings it back", async () => {
    const page = await browser.open({ cells: [expression("sofmax(tensor(x[2]):[0,0], x)")] });
    await page.getByRole("button", { name: "write softmax" }).click();
    await resultOf(page, 0).locator("td", { hasText: "0.5" }).first().waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "write softmax" }).waitFor();
    await page.context().close();
  });

  test("a first visit shows cells that are computed, and an empty cell is no mistake", async () => {
    const page = await browser.open(null);
    await resultOf(page, 3).getByText("1.5").waitFor();
    await page.getByText("+ Expression").click();
    await editorOf(page, 5).waitFor();
    await page.locator(".cell").nth(5).locator(".cm-content").click();
    await page.keyboard.type("score * 2");
    await resultOf(page, 5).getByText("3", { exact: true }).waitFor();
    for (let at = 0; at < "score * 2".length; at++) await page.keyboard.press("Backspace");
    await expect.poll(() => resultOf(page, 5).innerText()).not.toMatch(/nothing here|3/);
    await page.context().close();
  });

  test("a cell is computed of those above, and again when they change", async () => {
    const page = await browser.open({
      cells: [expression("2", "a"), expression("a + 1", "b"), expression("b * 10")],
    });
    await resultOf(page, 2).getByText("30").waitFor();
    await editorOf(page, 0).click();
    await page.keyboard.press("End");
    await page.keyboard.type("0");
    await resultOf(page, 2).getByText("210").waitFor();
    await page.context().close();
  });

  test("undo goes over all cells, and what was written is there after a reload", async () => {
    const page = await browser.open({ cells: [expression("1", "a"), expression("a", "b")] });
    await editorOf(page, 0).click();
    await page.keyboard.press("End");
    await page.keyboard.type("5");
    await editorOf(page, 1).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" + 1");
    await resultOf(page, 1).getByText("16").waitFor();
    // What was typed with pauses is taken back in steps, however many those are.
    for (let at = 0; at < 8; at++) await page.keyboard.press("Control+z");
    await resultOf(page, 1).getByText("1", { exact: true }).waitFor();
    for (let at = 0; at < 8; at++) await page.keyboard.press("Control+Shift+z");
    await resultOf(page, 1).getByText("16").waitFor();
    await page.reload();
    await resultOf(page, 1).getByText("16").waitFor();
    await page.context().close();
  });

  test("functions, names, dimensions and labels are completed", async () => {
    const cells = [expression("tensor(key{}):{red: 1, green: 2}", "colours"), expression("")];
    const page = await browser.open({ cells });
    const offered = page.locator(".cm-tooltip-autocomplete li");
    await editorOf(page, 1).click();
    await page.keyboard.type("soft");
    await offered.filter({ hasText: "softmax" }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("col");
    await offered.filter({ hasText: "colours" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("{key:");
    await offered.filter({ hasText: "green" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("sum(colours, k");
    await offered.filter({ hasText: "key" }).waitFor();
    await page.context().close();
  });

  test("a click on a cell lights up those that it came from, across the page", async () => {
    const cells = [
      expression("tensor(x[3]):[1,2,3]", "a"),
      expression("a * 2", "b"),
      expression("tensor(y[2])(b{x:(y)})"),
    ];
    const page = await browser.open({ cells });
    await resultOf(page, 2).locator("td").nth(1).click();
    await resultOf(page, 0).locator("td.lit").waitFor();
    expect(await resultOf(page, 1).locator("td.lit").allInnerTexts()).toEqual(["4"]);
    expect(await resultOf(page, 0).locator("td.lit").allInnerTexts()).toEqual(["2"]);
    await page.getByRole("complementary", { name: "Why?" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("td.lit").first().waitFor({ state: "detached" });
    await page.context().close();
  });

  test("a million cells are scrolled through, and only those in sight are there", async () => {
    const page = await browser.open({ cells: [expression("tensor(i[1000],j[1000])(1000*i+j)")] });
    const scroller = page.locator(".scroller");
    await scroller.waitFor();
    await scroller.evaluate((each) => each.scrollTo(each.scrollWidth, each.scrollHeight));
    await page.locator("td", { hasText: "999999" }).waitFor();
    expect(await page.locator("td").count()).toBeLessThan(2000);
    await page.context().close();
  });

  test("a run that takes long is cancelled, and the page goes on", async () => {
    const cells = [
      expression("2", "a"),
      expression("sum(tensor(i[2000],j[2000])(sum(tensor(k[2000])(sin(i*j+k)),k)))"),
    ];
    const page = await browser.open({ cells });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("cancelled").waitFor();
    await editorOf(page, 0).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" * 21");
    await resultOf(page, 0).getByText("42").waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await page.context().close();
  });

  test("before the worker answers, what it told of an earlier text mends no other, and stays within the text", async () => {
    const page = await browser.open({ cells: [expression("sofmax(tensor(x[2]):[1,1], x)"), expression("")] });
    await page.locator(".cm-lintRange-error").waitFor();
    await editorOf(page, 1).click();
    await page.keyboard.type("softmax(tensor(x[2]):[1,1], ");
    await page.locator(".card code strong").waitFor();
    await page.evaluate(() => {
      Worker.prototype.postMessage = () => undefined;
    });
    await page.keyboard.press("Control+z");
    await expect.poll(() => editorOf(page, 1).innerText()).toBe("\n");
    await page.evaluate(() => document.dispatchEvent(new Event("scroll", { bubbles: true })));
    await editorOf(page, 0).click();
    await page.keyboard.press("Home");
    await page.keyboard.type("1 + 10 * ");
    await page.keyboard.press("Control+.");
    await page.keyboard.type("2 * ");
    expect(await editorOf(page, 0).innerText()).toBe("1 + 10 * 2 * sofmax(tensor(x[2]):[1,1], x)");
    await page.context().close();
  });

  test("nothing was logged as an error", () => {
    expect(browser.errors).toEqual([]);
  });
});
