import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../patience.js";
import { browserPath, editorOf, expression, PageBrowser, resultOf } from "./browser.js";

/** The page in a browser, used in other ways: by keys alone, on a phone, by a screen reader, in the dark, as a program. */
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const cells = [
  { kind: "remark", text: "# A remark" },
  expression("tensor<float>(d{},x[3]):{a:[1,0,2],b:[0,1,1]}", "docs"),
  expression("sum(docs, x)", "sums"),
  expression("tensor(a[3],b[4],c[5])(a+b+c)", "cube"),
  expression("nosuch + 1"),
  expression("tensor(i[300],j[300])(i*j)", "large"),
];

describe.skipIf(browserPath === undefined)("the page is used", patient, () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await PageBrowser.start();
  });
  afterAll(() => browser.stop());

  test("by keys alone: cells are made, written, moved and removed", async () => {
    const page = await browser.open({ cells: [expression("1", "a"), expression("a + 1", "b")] });
    const selected = page.locator(".cell.selected");
    await resultOf(page, 1).getByText("2").waitFor();
    await editorOf(page, 0).click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await expect.poll(() => selected.locator("input.name").inputValue()).toBe("b");
    await page.keyboard.press("Shift+K");
    await expect.poll(() => page.locator("input.name").first().inputValue()).toBe("b");
    await page.keyboard.press("n");
    await page.keyboard.press("e");
    await expect.poll(() => page.locator(".cell").count()).toBe(3);
    await page.keyboard.type("6 * 7");
    await page.locator(".number", { hasText: "42" }).waitFor();
    // The first one may close a completion that is on its way.
    await expect
      .poll(async () => {
        await page.keyboard.press("Escape");
        return page.locator(".cell.selected:focus").count();
      })
      .toBe(1);
    await page.keyboard.press("d");
    await page.keyboard.press("d");
    await expect.poll(() => page.locator(".cell").count()).toBe(2);
    await page.keyboard.press("u");
    await expect.poll(() => page.locator(".cell").count()).toBe(3);
    await page.context().close();
  });

  test("a table whose value stays is not asked for again", async () => {
    const page = await browser.open({
      cells: [expression("tensor(x[3])(x + 1)", "a"), expression("2 + 5"), expression("a * 2")],
    });
    await resultOf(page, 2).locator("td").first().waitFor();
    await page.evaluate(() => {
      const requested: string[] = [];
      Object.assign(globalThis, { requested });
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (this: Worker, message: { readonly name?: string }) {
        requested.push(message.name ?? "");
        Reflect.apply(postMessage, this, [message]);
      };
    });
    await editorOf(page, 1).click();
    await page.keyboard.press("End");
    await page.keyboard.type("6");
    await resultOf(page, 1).getByText("58").waitFor();
    const requested = await page.evaluate(
      () => (globalThis as unknown as { requested: readonly string[] }).requested,
    );
    expect(requested).toContain("evaluate");
    expect(requested).not.toContain("table");
    await page.context().close();
  });

  test("by keys alone: a cell of a table says why", async () => {
    const page = await browser.open({
      cells: [expression("tensor(x[3]):[1,2,3]", "a"), expression("a * 2")],
    });
    await resultOf(page, 1).locator("td").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await resultOf(page, 0).locator("td.lit").waitFor();
    expect(await resultOf(page, 0).locator("td.lit").innerText()).toBe("2");
    await page.context().close();
  });

  test("a large table that is scrolled is drawn where it is: of another slice, moved, printed, and by keys", async () => {
    const page = await browser.open({
      cells: [expression("tensor(i[3],j[500],m[400])(i*1000000+j*1000+m)"), expression("1")],
    });
    const table = page.locator("sphex-table").first();
    const scroller = table.locator(".scroller");
    const seen = (text: string) => table.getByRole("cell", { name: text, exact: true });
    await scroller.evaluate((element) => element.scrollTo({ top: 5200 }));
    await seen("205,001").or(seen("205001")).waitFor();
    await table.getByLabel("Slice of i").selectOption("2");
    await seen("2205001").waitFor();
    await page.locator(".cell").first().focus();
    await page.keyboard.press("Shift+J");
    await page.locator(".cell").nth(1).locator(".scroller").waitFor();
    await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBeGreaterThan(5000);
    await seen("2205001").click();
    await page.keyboard.press("PageDown");
    await expect.poll(() => page.locator("td:focus").innerText()).toBe("2219001");
    await page.keyboard.press("End");
    await expect.poll(() => page.locator("td:focus").innerText()).toBe("2219399");
    await page.context().close();
  });

  test("an editor goes to definitions, renames everywhere, mends and formats", async () => {
    const page = await browser.open({
      cells: [expression("2", "first"), expression("first+1"), expression("sofmax(tensor(x[2]):[1,1], x)")],
    });
    await resultOf(page, 1).getByText("3").waitFor();
    await editorOf(page, 1).click();
    await page.keyboard.press("Home");
    await page.keyboard.press("F12");
    await page.locator(".cell").first().locator("input.name:focus").waitFor();
    await editorOf(page, 1).click();
    await page.keyboard.press("Home");
    await page.keyboard.press("F2");
    await page.getByRole("dialog").locator("input").fill("renamed");
    await page.keyboard.press("Enter");
    await expect.poll(() => editorOf(page, 1).innerText()).toBe("renamed+1");
    expect(await page.locator("input.name").first().inputValue()).toBe("renamed");
    await resultOf(page, 1).getByText("3").waitFor();
    await page.keyboard.press("Control+z");
    await expect.poll(() => editorOf(page, 1).innerText()).toBe("first+1");
    await editorOf(page, 1).click();
    await page.keyboard.press("Shift+Alt+F");
    await expect.poll(() => editorOf(page, 1).innerText()).toBe("first + 1");
    await editorOf(page, 2).click();
    await page.keyboard.press("Control+.");
    await expect.poll(() => editorOf(page, 2).innerText()).toContain("softmax");
    await page.context().close();
  });

  test("hover tells the type of a name, and a signature stands by while arguments are written", async () => {
    const page = await browser.open({
      cells: [expression("tensor(x[2]):[1,2]", "a"), expression("a + 1"), expression("")],
    });
    await resultOf(page, 1).locator("td").first().waitFor();
    await editorOf(page, 1).locator(".token-input").hover();
    await page.locator(".cm-tooltip-hover code", { hasText: "a: tensor(x[2])" }).waitFor();
    await editorOf(page, 2).click();
    await page.keyboard.type("softmax(a, ");
    await page.locator(".card code strong").waitFor();
    await page.context().close();
  });

  test("as one program, with types behind names, and as cells again", async () => {
    const page = await browser.open({ cells: [expression("tensor(x[2]):[1,2]", "a"), expression("sum(a)")] });
    await resultOf(page, 1).getByText("3").waitFor();
    await page.getByRole("button", { name: "Program" }).click();
    await expect.poll(() => page.locator(".cell").count()).toBe(1);
    await expect.poll(() => editorOf(page, 0).innerText()).toContain("sum(a)");
    await page.locator(".inlay", { hasText: "tensor(x[2])" }).waitFor();
    await resultOf(page, 0).getByText("3").waitFor();
    await page.getByRole("button", { name: "Cells" }).click();
    await expect.poll(() => page.locator(".cell").count()).toBe(2);
    await page.context().close();
  });

  test("results are looked at in other ways, and dimensions moved", async () => {
    const page = await browser.open({ cells: [expression("tensor(a[2],b[3],c[4])(a*100+b*10+c)")] });
    await page.locator("td", { hasText: "123" }).waitFor();
    await page.getByRole("button", { name: "Dimension a, in rows: move to columns" }).press("ArrowLeft");
    await page.getByRole("combobox", { name: "Slice of a" }).selectOption("1");
    await page.locator("td", { hasText: "113" }).waitFor();
    expect(await page.locator("td").count()).toBe(12);
    await page.locator(".cell").hover();
    for (const kind of ["Heat map", "Bars", "Line"]) {
      await page.getByRole("button", { name: kind }).click();
      await page.locator("sphex-picture svg").waitFor();
    }
    await page.getByRole("button", { name: "List" }).click();
    await page.locator("tbody tr").nth(23).waitFor();
    await page.getByRole("button", { name: "Explain" }).click();
    await page.locator(".explain .node", { hasText: "generate" }).first().waitFor();
    await page.context().close();
  });

  test("a mark of a picture says why, by a click and by keys, in the slice that is shown", async () => {
    const heat = {
      ...expression("tensor(a[2],b[3],c[4])(a*100+b*10+c)", "t"),
      views: { "": { kind: "heat" } },
    };
    const page = await browser.open({ cells: [heat, expression("sum(t, a)", "s")] });
    const marks = page.locator("sphex-picture [data-address]");
    await marks.nth(11).waitFor();
    await resultOf(page, 1).locator("td", { hasText: "146" }).click();
    await page.locator("[data-address].lit").first().waitFor();
    expect(await page.locator("[data-address].lit").allTextContents()).toEqual(["b: 2, c: 3 → 23"]);
    await marks.nth(5).click();
    await page.locator(".why .step", { hasText: "11" }).first().waitFor();
    expect(await page.locator("[data-address].lit").allTextContents()).toEqual(["b: 1, c: 1 → 11"]);
    await marks.first().focus();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "Enter"])
      await page.keyboard.press(key);
    await page.locator(".why .step", { hasText: "{a:0, b:2, c:0}" }).first().waitFor();
    await page.context().close();
  });

  test.each([
    { width: 1280, scheme: "light" },
    { width: 1280, scheme: "dark" },
    { width: 390, scheme: "light" },
  ] as const)("axe finds nothing serious at $width pixels, $scheme", async ({ width, scheme }) => {
    const heat = { ...expression("tensor(a[2],b[3])(a + b)"), views: { "": { kind: "heat" } } };
    const shown = { cells: [heat, ...cells] };
    const page = await browser.open(shown, { viewport: { width, height: 800 }, colorScheme: scheme });
    await page.locator("[data-address]").first().waitFor();
    await page.locator(".scroller").waitFor();
    await page.locator(".cm-lintRange-error").waitFor();
    await page.locator("td").first().click();
    await page.getByRole("complementary", { name: "Why?" }).waitFor();
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
      interface Violation {
        id: string;
        impact: string;
        nodes: { html: string; failureSummary: string }[];
      }
      const { violations } = await axe.run();
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`);
    });
    expect(found).toEqual([]);
    await page.context().close();
  });

  test("on a phone nothing is wider than the screen but what scrolls by itself", async () => {
    const page = await browser.open({ cells }, { viewport: { width: 390, height: 800 }, hasTouch: true });
    await page.locator(".scroller").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await resultOf(page, 2).locator("td").first().tap();
    await page.getByRole("complementary", { name: "Why?" }).waitFor();
    await page.context().close();
  });

  test("on a phone the last cell is seen above what says why", async () => {
    const small = [cells[1], cells[2], expression("docs * sums"), expression("concat(docs, docs{x:0}, x)")];
    const page = await browser.open(
      { cells: small },
      { viewport: { width: 390, height: 844 }, hasTouch: true },
    );
    const last = resultOf(page, 3).locator("td").last();
    await last.tap();
    const panel = page.getByRole("complementary", { name: "Why?" });
    await panel.locator(".step").first().waitFor();
    const bottom = async () => (await last.boundingBox().then((box) => box && box.y + box.height)) ?? 0;
    await expect.poll(async () => (await bottom()) <= ((await panel.boundingBox())?.y ?? 0)).toBe(true);
    expect(await bottom()).toBeGreaterThan(0);
    await page.context().close();
  });

  test("on a phone each value of a rank profile is in sight", async () => {
    const page = await browser.open({ cells: [expression("1")] }, { viewport: { width: 390, height: 800 } });
    await page.getByRole("button", { name: "Rank profile", exact: true }).click();
    await page.getByRole("button", { name: "Try an example" }).click();
    await page.locator("td.value-text").first().waitFor();
    const boxes = await page
      .locator("td.value-text")
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect()));
    expect(boxes.length).toBeGreaterThan(3);
    for (const { right, width } of boxes) {
      expect(right).toBeLessThanOrEqual(390);
      expect(width).toBeGreaterThan(90);
    }
    await page.context().close();
  });

  test("what a first visit shows hardly moves when the results come", async () => {
    const page = await browser.empty({ viewport: { width: 390, height: 800 } });
    await page.addInitScript(() => {
      const seen = { shift: 0 };
      Object.assign(globalThis, { seen });
      new PerformanceObserver((list) => {
        for (const each of list.getEntries())
          if ("value" in each && typeof each.value === "number") seen.shift += each.value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(browser.address);
    await page.locator("sphex-picture svg").waitFor();
    const shift = await page.evaluate(
      () => (globalThis as unknown as { seen: { shift: number } }).seen.shift,
    );
    expect(shift).toBeLessThan(0.1);
    await page.context().close();
  });

  test("on paper there are cells and values, and nothing to press", async () => {
    const page = await browser.open({ cells });
    await page.locator(".scroller").waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".bar").isVisible()).toBe(false);
    expect(await page.locator(".tools").first().isVisible()).toBe(false);
    expect(await resultOf(page, 2).locator("td").first().isVisible()).toBe(true);
    await page.context().close();
  });

  test("on paper a large table is whole, and what is left out of a larger one is said", async () => {
    const page = await browser.open(
      {
        cells: [expression("tensor(i[90],j[20])(100*i+j)"), expression("tensor(i[1000],j[1000])(1000*i+j)")],
      },
      { colorScheme: "dark" },
    );
    await page.locator(".scroller").nth(1).waitFor();
    // The browser asks a person what to do with the paper.
    await page.evaluate(() =>
      Object.assign(globalThis, { print: () => Object.assign(globalThis, { isPrinted: true }) }),
    );
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.locator(".omitted").first().innerText()).toContain("Only the part in sight");
    await page.locator("body").press("Control+p");
    await page.waitForFunction(() => "isPrinted" in globalThis);
    const [first, second] = [resultOf(page, 0), resultOf(page, 1)];
    expect(await first.locator("td[data-row]").count()).toBe(90 * 20);
    expect(await first.locator(".omitted").innerText()).toBe("");
    // Each piece repeats the rows, and has columns of its own.
    const lastPiece = first.locator("table").last();
    const [label] = await lastPiece.locator("thead th").last().allInnerTexts();
    expect([label, await lastPiece.locator("td").last().innerText()]).toEqual(["19", "8919"]);
    expect(await lastPiece.locator("tbody tr").count()).toBe(90);
    expect(await second.locator("td[data-row]").count()).toBe(60 * 100);
    expect(await second.locator(".omitted").innerText()).toBe(
      "The first 100 of 1,000 rows and 60 of 1,000 columns are printed. Share saves all of them in a file.",
    );
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(35, 33, 28)");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.locator(".scroller").nth(1).waitFor({ state: "attached" });
    expect(await page.locator("table.piece").count()).toBe(0);
    await page.context().close();
  });

  test("with labels and names that are markup, which stay text", async () => {
    const hostile = '<img src=x onerror="globalThis.attacked = true">';
    const text = `tensor(x{}):{${JSON.stringify(hostile)}: 1, "</title><script>attacked=1</script>": 2}`;
    const page = await browser.open({
      cells: [expression(text, hostile), expression(`${hostile} + 1`), expression(text)],
    });
    await resultOf(page, 0).getByText("tensor(x{})").waitFor();
    await page.locator(".cell").first().hover();
    for (const kind of ["Bars", "Heat map", "List"]) {
      await page.locator(".cell").first().getByRole("button", { name: kind }).click();
      await page.locator(".cell").first().locator("sphex-picture svg, tbody tr").first().waitFor();
    }
    await page.locator(".cell").first().locator("tbody td").first().click();
    await page.locator(".why").waitFor();
    expect(await page.evaluate(() => "attacked" in globalThis)).toBe(false);
    expect(await page.locator("img").count()).toBe(0);
    await page.context().close();
  });

  test("where code made at run time is forbidden, and values are computed without it", async () => {
    // A service worker would answer with the script that it has, which forbids nothing.
    const page = await browser.open({ cells: [expression("1")] }, { serviceWorkers: "block" });
    let isForbidden = false;
    await page.context().route("**/worker.js", async (route) => {
      isForbidden = true;
      const response = await route.fetch();
      const headers = {
        ...response.headers(),
        "content-security-policy": "default-src 'self'; script-src 'self'",
      };
      await route.fulfill({ response, headers });
    });
    await page.reload();
    await editorOf(page, 0).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("sum(tensor(x[100],y[100])(x * y) + 1)");
    await resultOf(page, 0).getByText("24512500").waitFor();
    expect(isForbidden).toBe(true);
    await page.context().close();
  });

  test("and nothing was logged as an error", () => {
    expect(browser.errors).toEqual([]);
  });
});
