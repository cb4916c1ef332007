import { readFileSync } from "node:fs";
import axe, { type AxeResults } from "axe-core";
import { zipSync } from "fflate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../patience.js";
import { browserPath, editorOf, expression, PageBrowser, resultOf } from "./browser.js";

/** Panels in a browser: examples, the tour and puzzles; rank profile mode. */
describe.skipIf(browserPath === undefined)("learning on the page", patient, () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await PageBrowser.start();
  });
  afterAll(() => browser.stop());

  const open = async (title: string): Promise<Page> => {
    const page = await browser.open({ cells: [expression("40 + 2")] });
    await page.getByRole("button", { name: title, exact: true }).click();
    return page;
  };

  test("an example takes the place of the document, and undo brings that back", async () => {
    const page = await open("Learn");
    await page.getByRole("button", { name: "Matrix product" }).first().click();
    await page.getByRole("heading", { name: "Matrix product" }).waitFor();
    await resultOf(page, 3).getByText("17").first().waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await resultOf(page, 0).getByText("42").waitFor();
    await page.context().close();
  });

  test("a puzzle is begun, answered wrongly and rightly, and stays solved", async () => {
    const page = await open("Learn");
    await page.getByRole("button", { name: "Puzzles", exact: true }).click();
    await page.getByRole("button", { name: "Row sums" }).click();
    await page.getByRole("button", { name: "Begin", exact: true }).click();
    const check = page.getByRole("button", { name: "Check the answer" });
    await check.click();
    await page
      .locator(".verdict")
      .getByText("This is a tensor(y[3]), and should be a tensor(x[2]).")
      .waitFor();
    await editorOf(page, 2).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("sum(m, y)");
    await check.click();
    await page.locator(".verdict.right").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Learn", exact: true }).click();
    await page.getByRole("button", { name: "Puzzles", exact: true }).click();
    await page.getByText("1 of 36 are solved").waitFor();
    await page.context().close();
  });

  test("each step of the tour has its text and something to try", async () => {
    const page = await open("Learn");
    await page.getByRole("button", { name: "Tour", exact: true }).click();
    await page.getByRole("heading", { name: "One construct" }).waitFor();
    await page.getByRole("button", { name: "Next →" }).click();
    await page.getByRole("heading", { name: "Types", exact: true }).waitFor();
    await page.getByRole("button", { name: "Hint", exact: true }).click();
    await page.getByText("is all it takes.").waitFor();
    await page.context().close();
  });

  test("a tab says that another one has kept its rank profile in the place of this one", async () => {
    const page = await open("Rank profile");
    await page.getByRole("button", { name: "Try an example" }).click();
    const other = await page.context().newPage();
    await other.goto(browser.address);
    await other.getByRole("button", { name: "Rank profile", exact: true }).click();
    await other.locator("summary", { hasText: "Schema" }).click();
    await other.getByLabel("Schema").fill("schema other { document other { } }");
    await page.getByRole("status").getByText("Another tab keeps its rank profile").waitFor();
    await page.context().close();
  });

  test("a slider of a rank profile moves the ranking, and what was typed is there after a reload", async () => {
    const page = await open("Rank profile");
    await page.getByRole("button", { name: "Try an example" }).click();
    const ranking = page.getByRole("region", { name: "Ranking" });
    await page.getByRole("region", { name: "Missing features" }).getByRole("textbox").fill("1");
    await page.keyboard.press("Enter");
    const best = ranking.getByRole("row").nth(1);
    await best.getByText("id:press:article::bees").waitFor();
    const meaning = page.getByLabel("The number of query(meaning_weight)");
    await meaning.fill("0");
    await meaning.press("Enter");
    await best.getByText("id:press:article::wasps").waitFor();
    const fresh = page.getByLabel("The number of query(fresh_weight)");
    await fresh.fill("0");
    await fresh.press("Enter");
    await best.getByText("id:press:article::ants").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Rank profile", exact: true }).click();
    await best.getByText("id:press:article::ants").waitFor();
    await ranking.getByRole("button", { name: "id:press:article::paper" }).click();
    await page.getByRole("heading", { name: "Values of id:press:article::paper" }).waitFor();
    await page.context().close();
  });

  test("what is being written into a field is undone by the field itself", async () => {
    const page = await open("Rank profile");
    await page.getByRole("button", { name: "Try an example" }).click();
    const feature = page.getByRole("region", { name: "Missing features" }).getByRole("textbox");
    await feature.click();
    await page.keyboard.type("3.5");
    await page.keyboard.press("Control+z");
    expect(await feature.inputValue()).not.toBe("3.5");
    await page.getByRole("region", { name: "Missing features" }).waitFor();
    await page.context().close();
  });

  test("controls that were moved and taken back at once show what counts", async () => {
    const page = await open("Rank profile");
    await page.getByRole("button", { name: "Try an example" }).click();
    const number = page.getByLabel("The number of query(meaning_weight)");
    await number.waitFor();
    // All before an answer can come.
    await number.evaluate((field: HTMLInputElement) => {
      const move = (input: HTMLInputElement, value: string, kind: string): void => {
        input.value = value;
        input.dispatchEvent(new Event(kind, { bubbles: true }));
      };
      const slider = field.parentElement?.querySelector<HTMLInputElement>("[type=range]");
      move(field, "0", "change");
      if (slider) move(slider, "9", "input");
      document.querySelector<HTMLElement>("[aria-label='Undo in Rank profile']")?.click();
    });
    await page.waitForTimeout(500);
    expect(await number.inputValue()).toBe("2");
    expect(await page.getByRole("slider", { name: "query(meaning_weight)" }).inputValue()).toBe("2");
    await page.context().close();
  });

  test("a number that is emptied has the number of the query again", async () => {
    const page = await open("Rank profile");
    await page.getByRole("button", { name: "Try an example" }).click();
    const number = page.getByLabel("The number of query(meaning_weight)");
    for (const text of ["7", "", ""]) {
      await number.fill(text);
      await number.press("Enter");
      await expect.poll(() => number.inputValue()).toBe(text === "" ? "2" : text);
    }
    await page.context().close();
  });

  test("rank profile mode asks again where another worker has taken the place of the one that it asked", async () => {
    const page = await open("Rank profile");
    await page.getByRole("button", { name: "Try an example" }).click();
    const number = page.getByLabel("The number of query(meaning_weight)");
    await number.waitFor();
    await page.evaluate(() => {
      const { postMessage, terminate } = Worker.prototype;
      // A worker that is busy for good.
      Worker.prototype.postMessage = () => undefined;
      Worker.prototype.terminate = function (this: Worker) {
        Object.assign(Worker.prototype, { postMessage, terminate });
        this.terminate();
      };
    });
    await number.fill("7");
    await number.press("Enter");
    await editorOf(page, 0).click();
    await page.keyboard.type("1");
    await page.keyboard.type("2");
    await page
      .getByRole("slider", { name: "query(meaning_weight)" })
      .and(page.locator("[max='10']"))
      .waitFor();
    await page.context().close();
  });

  test("undo takes back what was done in rank profile mode, where the focus is in it, and else in the document", async () => {
    const page = await open("Rank profile");
    await page.getByRole("button", { name: "Try an example" }).click();
    const number = page.getByLabel("The number of query(meaning_weight)");
    await number.fill("7");
    await number.press("Enter");
    await page.getByRole("button", { name: "Reset numbers" }).waitFor();
    await number.press("Control+z");
    await page.getByRole("button", { name: "Reset numbers" }).waitFor({ state: "detached" });
    await page.getByText("Query", { exact: true }).click();
    const query = page.getByRole("textbox", { name: "Query", exact: true });
    const before = await query.inputValue();
    await query.pressSequentially("abc");
    await query.press("Control+z");
    await page.waitForFunction((text) => document.activeElement?.closest("textarea")?.value === text, before);
    await query.press("Control+Shift+z");
    await page.waitForFunction(() => document.activeElement?.closest("textarea")?.value.includes("abc"));
    await editorOf(page, 0).click();
    await editorOf(page, 0).pressSequentially("12");
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => !document.querySelector(".cm-content")?.textContent?.includes("12"));
    expect(await query.inputValue()).toContain("abc");
    const back = page.getByRole("button", { name: "Undo in Rank profile" });
    await back.click();
    await back.click();
    await page.getByRole("button", { name: "Try an example" }).waitFor();
    await page.getByRole("button", { name: "Redo in Rank profile" }).click();
    await page.getByRole("region", { name: "Ranking" }).waitFor();
    await page.context().close();
  });

  test("the package of the examples, as an archive, with its documents and its query", async () => {
    const page = await open("Share");
    const root = new URL("../../examples/rank-profiles/", import.meta.url);
    const paths = ["schemas/article.sd", "constants/hidden-weights.json", "constants/output-weights.json"];
    const archive = zipSync(
      Object.fromEntries(paths.map((path) => [`app/${path}`, readFileSync(new URL(path, root))])),
    );
    const file = (name: string, bytes: Uint8Array) => ({ name, mimeType: "", buffer: Buffer.from(bytes) });
    await page
      .getByLabel("Choose files")
      .setInputFiles([
        file("app.zip", archive),
        ...["documents.jsonl", "query.json"].map((name) => file(name, readFileSync(new URL(name, root)))),
      ]);
    await page.getByRole("status").getByText("Rank profile mode has the files.").waitFor();
    await page.getByRole("button", { name: "Rank profile", exact: true }).click();
    const missing = page.getByRole("region", { name: "Missing features" });
    // Without a score there is no rank.
    expect(
      await page
        .getByRole("region", { name: "Ranking" })
        .getByRole("row")
        .nth(1)
        .getByRole("cell")
        .first()
        .innerText(),
    ).toBe("–");
    await missing.getByLabel("bm25(title)").fill("1.5");
    await missing.getByLabel("bm25(body)").fill("0.5");
    await page.keyboard.press("Enter");
    await missing.waitFor({ state: "detached" });
    const ranking = page.getByRole("region", { name: "Ranking" });
    await ranking.getByRole("row").nth(1).getByText("id:press:article::chairs").waitFor();
    // First by both of what is fused: 1/61 + 1/61.
    await ranking.getByRole("row").nth(1).getByRole("cell", { name: "0.0327869" }).first().waitFor();
    await page.getByRole("combobox", { name: "Profile" }).selectOption("learned");
    await page
      .getByRole("region", { name: "Values" })
      .getByRole("row", { name: "signals tensor<float>(signal[3])" })
      .first()
      .waitFor();
    await page.context().close();
  });

  test.each([1280, 390])("at %i pixels no panel has anything serious against it", async (width) => {
    const page = await browser.open({ cells: [expression("1 + 1")] }, { viewport: { width, height: 900 } });
    for (const title of ["Learn", "Share", "Rank profile"]) {
      await page.getByRole("button", { name: title, exact: true }).click();
      if (title === "Rank profile") {
        await page.getByRole("button", { name: "Try an example" }).click();
        await page.getByRole("region", { name: "Ranking" }).waitFor();
      }
      expect(await seriousIn(page), title).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await page.context().close();
  });

  test("nothing that the tests did was an error", () => {
    expect(browser.errors).toEqual([]);
  });
});

/** What axe finds that is serious: the rule, and what breaks it. */
async function seriousIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations }: AxeResults = await page.evaluate("axe.run()");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
