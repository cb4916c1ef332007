import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageFiles } from "../../src/cli/page/page-files.js";
import { servePage } from "../../src/cli/page/page-server.js";
import { linkTo, programIn } from "../../src/vespa/compat/compat.js";
import { documentOf } from "../../src/web/document/page-document.js";
import { linksTo } from "../../src/web/share/link.js";
import { patient } from "../patience.js";
import { browserPath, editorOf, expression, PageBrowser, resultOf } from "./browser.js";

/** What comes to the page from elsewhere, and leaves it: links, files, frames, times without a network. */
describe.skipIf(browserPath === undefined)("the page and the world", patient, () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await PageBrowser.start();
  });
  afterAll(() => browser.stop());

  /** Opens the page at a link. */
  async function at(hash: string, search = ""): Promise<Page> {
    const page = await browser.open(null);
    await page.goto("about:blank");
    await page.goto(`${browser.address}${search}#${hash}`);
    await page.locator(".cell").first().waitFor();
    return page;
  }

  const formula = (name: string, expression: string) => ({ kind: "formula", name, expression }) as const;

  test("a link of the playground opens, and its cells are computed", async () => {
    const link = await linkTo([formula("a", "tensor(x[2]):[3,4]"), formula("", "sum(a * a)")]);
    const page = await at(link.split("#")[1] ?? "");
    await resultOf(page, 1).getByText("25").waitFor();
    expect(new URL(page.url()).hash).toBe("");
    await page.context().close();
  });

  test("the links that the page gives open here and there", async () => {
    const page = await browser.open({ cells: [expression("tensor(x[2]):[3,4]", "a"), expression("sum(a)")] });
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const there = await page
      .getByLabel("To the playground of Vespa's documentation", { exact: true })
      .inputValue();
    expect(await programIn(there)).toEqual([formula("a", "tensor(x[2]):[3,4]"), formula("", "sum(a)")]);
    const here = await page.getByLabel("To this page", { exact: true }).inputValue();
    const other = await at(here.split("#")[1] ?? "");
    await resultOf(other, 1).getByText("7").waitFor();
    for (const each of [page, other]) await each.context().close();
  });

  test("a link takes the place of a document, which undo brings back after a reload, and in another tab", async () => {
    const page = await browser.open({ cells: [expression("40 + 2")] });
    await resultOf(page, 0).getByText("42").waitFor();
    await page.goto(`${browser.address}#text=${encodeURIComponent("6 + 1\n")}`);
    await page
      .getByRole("status")
      .getByText("The link is open; undo brings back the last document.")
      .waitFor();
    await resultOf(page, 0).getByText("7").waitFor();
    await page.close();
    const other = await page.context().newPage();
    await other.goto(browser.address);
    await resultOf(other, 0).getByText("7").waitFor();
    const undo = other.locator(".bar").getByRole("button", { name: "Undo" });
    await undo.click();
    await resultOf(other, 0).getByText("42").waitFor();
    await other.locator(".bar").getByRole("button", { name: "Redo" }).click();
    await resultOf(other, 0).getByText("7").waitFor();
    await undo.click();
    await resultOf(other, 0).getByText("42").waitFor();
    await other.reload();
    await undo.click();
    await resultOf(other, 0).getByText("7").waitFor();
    await other.context().close();
  });

  test("a browser that keeps nothing shows the page, and says so", async () => {
    const page = await browser.empty();
    await page.addInitScript(() => {
      Object.defineProperty(window, "localStorage", {
        get: () => {
          throw new DOMException("denied", "SecurityError");
        },
      });
    });
    await page.goto(browser.address);
    await resultOf(page, 3).locator("td").first().waitFor();
    for (const name of ["Learn", "Rank profile"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("complementary", { name }).waitFor();
    }
    await editorOf(page, 3).click();
    await page.keyboard.type(" ");
    await page.getByRole("status").getByText("save it as a file").waitFor();
    await page.context().close();
  });

  test("a link that is none leaves the document alone, and says so", async () => {
    const page = await browser.open({ cells: [expression("40 + 2")] });
    await page.evaluate(() => {
      location.hash = "no!link";
    });
    await page.getByRole("status").getByText("The link cannot be opened").waitFor();
    await resultOf(page, 0).getByText("42").waitFor();
    await page.context().close();
  });

  test("a document is saved as Markdown and as a page of HTML", async () => {
    const cells = [{ kind: "remark", text: "# Sum\n\n<img src=x onerror=alert(1)>" }, expression("2 + 3")];
    const page = await browser.open({ cells });
    await resultOf(page, 1).getByText("5").waitFor();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const saved = async (name: string): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name }).click(),
      ]);
      return readFileSync(await download.path(), "utf8");
    };
    expect(await saved("Markdown")).toContain("```sphex\n2 + 3\n```\n\n`tensor()` → **5.0**");
    const html = await saved("Page of HTML");
    expect(html).toContain("<h1>Sum</h1>");
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
    await page.context().close();
  });

  test("files become cells, documents, and what rank profile mode takes", async () => {
    const page = await browser.open({ cells: [expression("1")] });
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const files = page.getByLabel("Choose files");
    const file = (name: string, text: string) => ({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(text),
    });
    await files.setInputFiles([file("weights.csv", "k,value\na,1\nb,2\n")]);
    await page.getByRole("status").getByText("A value is added.").waitFor();
    expect(await page.locator("input.name").nth(1).inputValue()).toBe("weights");
    await files.setInputFiles([file("broken.npy", "no array")]);
    await page.getByRole("status").getByText("broken.npy:").waitFor();
    await files.setInputFiles([file("a.sphex", "b = 20\nb + 1\n")]);
    await resultOf(page, 0).getByText("21").waitFor();
    const schema =
      "schema a { document a { field n type int { indexing: attribute } } rank-profile p { first-phase { expression: attribute(n) * 2 } } }";
    await files.setInputFiles([
      file("a.sd", schema),
      file("a.jsonl", '{"put":"id:a:a::x","fields":{"n":21}}'),
    ]);
    await page.getByRole("button", { name: "Rank profile", exact: true }).click();
    await page.getByRole("region", { name: "Ranking" }).getByRole("cell", { name: "42" }).waitFor();
    await page.context().close();
  });

  const drop = (target: Locator): Promise<void> =>
    target.evaluate((element) => {
      const data = new DataTransfer();
      data.items.add(new File(["tensor(x[2]):[5,6]"], "five.tensor", { type: "text/plain" }));
      for (const type of ["dragover", "drop"])
        element.dispatchEvent(
          new DragEvent(type, { bubbles: true, composed: true, cancelable: true, dataTransfer: data }),
        );
    });

  test.each([
    "the page",
    "an editor",
  ])("a file that is dropped on %s is read, and typed nowhere", async (at) => {
    const page = await browser.open({ cells: [expression("1 + 1")] });
    await editorOf(page, 0).waitFor();
    await drop(at === "the page" ? page.locator("body") : editorOf(page, 0));
    await page.locator("input.name").nth(1).waitFor();
    expect(await page.locator("input.name").nth(1).inputValue()).toBe("five");
    expect(await editorOf(page, 0).innerText()).toBe("1 + 1");
    await page.context().close();
  });

  test("a program gets what is dropped behind its text, no cells by keys, and is there after a reload", async () => {
    const page = await browser.open({ mode: "program", cells: [{ kind: "program", text: "a = 40\na + 2" }] });
    await resultOf(page, 0).getByText("42").waitFor();
    await drop(page.locator("body"));
    await page.getByRole("status").getByText("A value is added.").waitFor();
    await editorOf(page, 0).click();
    await page.keyboard.press("Escape");
    for (const key of ["a", "n", "e"]) await page.keyboard.press(key);
    await page.waitForTimeout(500); // as long as the page waits before it stores what it has
    await page.reload();
    await resultOf(page, 0).getByText("42").waitFor();
    expect(await editorOf(page, 0).innerText()).toMatch(/^a.* = 40\na \+ 2\nfive.* = tensor/);
    await page.context().close();
  });

  test("what sphex playground serves is the page, under the policy that it sends", async () => {
    const files = pageFiles(fileURLToPath(new URL("../../dist/web", import.meta.url)));
    const server = await servePage(files ?? new Map(), 0);
    try {
      const page = await browser.open(null);
      await page.goto(`${server.address}#text=${encodeURIComponent("sum(tensor(x[4])(x))")}`);
      await resultOf(page, 0).getByText("6").waitFor();
      for (const title of ["Learn", "Share", "Rank profile"])
        await page.getByRole("button", { name: title, exact: true }).click();
      await page.getByRole("button", { name: "Try an example" }).click();
      await page.getByRole("region", { name: "Ranking" }).waitFor();
      await page.context().close();
    } finally {
      await server.stop();
    }
  });

  test("of two panels that are asked for, the last is the one that is open, however late the other comes", async () => {
    const page = await browser.open(undefined, { serviceWorkers: "block" });
    await page.locator(".cm-content").first().waitFor();
    let held: (() => Promise<void>) | undefined;
    await page.route("**/*.js", (route) => {
      if (held !== undefined) return route.continue();
      held = () => route.continue();
      return Promise.resolve();
    });
    const pressed = page.getByRole("navigation", { name: "Panels" }).locator("[aria-pressed=true]");
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await expect.poll(() => held).toBeDefined();
    await page.getByRole("button", { name: "Keys", exact: true }).click();
    await pressed.getByText("Keys").waitFor();
    const loaded = page.waitForEvent("requestfinished");
    await held?.();
    await loaded;
    // What comes of the script comes in a turn of its own.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
    expect(await pressed.allInnerTexts()).toEqual(["Keys"]);
    await page.context().close();
  });

  test("the page works without a network once it was there", async () => {
    const page = await browser.open({ cells: [expression("6 * 7")] });
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.context().setOffline(true);
    await page.reload();
    await resultOf(page, 0).getByText("42").waitFor();
    await page.getByRole("button", { name: "Learn", exact: true }).click();
    await page.getByRole("button", { name: "Dot product" }).first().click();
    await resultOf(page, 5).getByText("1", { exact: true }).waitFor();
    await page.context().close();
  });

  test("in a frame there are the cells alone, and nothing is kept", async () => {
    const page = await at(`text=${encodeURIComponent("a = 6\na * 7\n")}`, "?embed");
    await resultOf(page, 0).getByText("42").waitFor();
    expect(await page.locator(".bar").isVisible()).toBe(false);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.context().close();
  });

  test("the element shows what stands between its tags, and is as high as it", async () => {
    // A service worker would ask the server for the page itself, and the server has none.
    const page = await browser.open(null, { serviceWorkers: "block" });
    await page.route("**/host.html", (route) =>
      route.fulfill({
        contentType: "text/html",
        // With an icon of its own: a browser asks for another one when it likes to.
        body: '<link rel="icon" href="icon.svg"><script type="module" src="embed.js"></script><sphex-playground>\n  a = 6\n  a * 7\n</sphex-playground>',
      }),
    );
    await page.goto(`${browser.address}host.html`);
    const frame = page.frameLocator("sphex-playground iframe");
    await frame.locator(".result").getByText("42").waitFor();
    await page.waitForFunction(() => {
      const inner = document.querySelector("sphex-playground")?.shadowRoot?.querySelector("iframe");
      return inner !== null && inner !== undefined && inner.style.height !== "240px";
    });
    await page.context().close();
  });

  test("nothing that the tests did was an error", () => {
    expect(browser.errors).toEqual([]);
  });

  test("our links hold views", async () => {
    const cell = {
      kind: "expression",
      name: "",
      text: "tensor(x[3])(x)",
      views: { "": { kind: "bars" } },
    } as const;
    const { own } = await linksTo(documentOf([cell]), browser.address);
    const page = await at(own.split("#")[1] ?? "");
    await page.locator("sphex-picture svg").waitFor();
    await page.context().close();
  });
});
