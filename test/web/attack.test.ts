import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packedLink } from "../../src/vespa/compat/compat.js";
import { patient } from "../patience.js";
import { browserPath, expression, PageBrowser } from "./browser.js";

/** Texts that somebody else has written, in every place where the page shows texts: none of them may run, fetch or lead anywhere. */
const attacks = [
  "<script>attacked=1</script>",
  "<img src=x onerror=attacked=1>",
  "<svg onload=attacked=1>",
  '"><iframe srcdoc="<script>parent.attacked=1</script>">',
  "'-attacked=1-'",
  "</textarea></style></title><script>attacked=1</script>",
  "<a href=javascript:attacked=1>here</a>",
  "{{constructor.constructor('attacked=1')()}}",
  "$".concat("{attacked=1}"),
  "__proto__",
];

const markdownAttacks = [
  ...attacks,
  "[here](javascript:attacked=1)",
  "[here](&#106;avascript:attacked=1)",
  "[here](data:text/html,<script>attacked=1</script>)",
  "[here](vbscript:attacked=1)",
  '[here](https://evil.example "\' onmouseover=attacked=1")',
  "![picture](https://evil.example/pixel.png)",
  '<https://evil.example/" onmouseover=attacked=1>',
  '<math><mi//xlink:href="data:x,<script>attacked=1</script>">',
  "<style>@import 'https://evil.example/a.css'</style>",
  "<form action=https://evil.example><button>Press</button></form>",
  "<base href=https://evil.example/>",
  "```<img src=x onerror=attacked=1>\n<b>\n```",
  "# <b onclick=attacked=1>Bold</b>",
];

describe.skipIf(browserPath === undefined)("what others have written", patient, () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await PageBrowser.start();
  });
  afterAll(() => browser.stop());

  /** A page that knows what it asked of anybody else. */
  async function watched(document?: object): Promise<{ page: Page; foreign: string[] }> {
    const page = await browser.open(document);
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!/^(?:blob:|data:)/.test(request.url()) && !request.url().startsWith(browser.address))
        foreign.push(request.url());
    });
    page.on("dialog", (dialog) => {
      foreign.push(dialog.message());
      void dialog.dismiss();
    });
    return { page, foreign };
  }

  async function expectHarmless(page: Page, foreign: readonly string[]): Promise<void> {
    expect(await page.evaluate(() => "attacked" in window)).toBe(false);
    const elements =
      "script:not([src='main.js']), iframe, img:not(.cm-widgetBuffer), form[action], base, object, embed, style, link[href^='http']";
    expect(await page.locator(elements).evaluateAll((all) => all.map((each) => each.outerHTML))).toEqual([]);
    const attributes = await page.evaluate(() =>
      [...document.querySelectorAll("*")].flatMap((each) =>
        each.getAttributeNames().filter((name) => name.startsWith("on") || name === "srcdoc"),
      ),
    );
    expect(attributes).toEqual([]);
    expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
    expect(foreign).toEqual([]);
  }

  test("remarks are Markdown, and nothing more", async () => {
    const cells = markdownAttacks.map((text) => ({ kind: "remark", text }));
    const { page, foreign } = await watched({ cells });
    await page.locator("sphex-remark h1").waitFor();
    await expectHarmless(page, foreign);
    const links = await page
      .locator("sphex-remark a")
      .evaluateAll((all) =>
        all.map((each) => [each.getAttribute("href"), each.getAttribute("rel"), each.getAttribute("target")]),
      );
    for (const [href, rel, target] of links) {
      if (href === null) continue;
      expect(href).toMatch(/^https:\/\/evil\.example/);
      expect([rel, target]).toEqual(["noopener noreferrer", "_blank"]);
    }
    await page.context().close();
  });

  test("names and expressions are texts", async () => {
    const cells = attacks.flatMap((text) => [expression("1", text), expression(text, "a")]);
    const { page, foreign } = await watched({ cells });
    await page.locator(".problem").first().waitFor();
    await expectHarmless(page, foreign);
    await page.context().close();
  });

  test("labels are texts, in tables, lists and pictures", async () => {
    const entries = attacks.map((label, at) => `${JSON.stringify(label.replaceAll("$", "S"))}:${at + 1}`);
    const text = `tensor(k{}):{${entries.join(", ")}} * 2`;
    const kinds = ["table", "list", "bars", "heat", "line"];
    const cells = kinds.map((kind) => ({ ...expression(text), views: { "": { kind } } }));
    const { page, foreign } = await watched({ cells });
    await page.locator("sphex-picture svg").first().waitFor();
    await page.locator("sphex-table td").first().waitFor();
    await page.locator("sphex-table td").first().click();
    await expectHarmless(page, foreign);
    await page.context().close();
  });

  test("links hold cells, and nothing else of them counts", async () => {
    const { page, foreign } = await watched();
    for (const text of attacks) {
      const frames = [
        { op: "c", p: { t: text } },
        { op: "e", p: { n: text, e: text } },
      ];
      const sphex = {
        dialect: text,
        views: { 1: { [text]: { kind: text, rows: [text] } } },
        ...JSON.parse('{"__proto__":{"a":1}}'),
      };
      const link = await packedLink(JSON.stringify({ f: frames, sphex }), "#");
      await page.evaluate((hash) => {
        location.hash = hash;
      }, link);
      await page.waitForFunction(() => location.hash === "");
      await page.evaluate((each) => {
        location.hash = `example=${encodeURIComponent(each)}`;
      }, text);
      await page.getByRole("status").getByText("The link cannot be opened").waitFor();
    }
    await expectHarmless(page, foreign);
    await page.context().close();
  });

  test("files are texts: their names, what is in them, and what is wrong with them", async () => {
    const { page, foreign } = await watched();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const buffer = (text: string) => Buffer.from(text);
    for (const [at, attack] of attacks.entries()) {
      const name = attack.replaceAll("/", "_");
      await page.getByLabel("Choose files").setInputFiles([
        {
          name: `${name}.csv`,
          mimeType: "text/csv",
          buffer: buffer(`k,value\n"${attack.replaceAll('"', '""')}",${at}\n`),
        },
        { name: `${name}.npy`, mimeType: "text/plain", buffer: buffer(attack) },
        { name: `${name}.exe`, mimeType: "text/plain", buffer: buffer(attack) },
      ]);
      await page.getByRole("status").getByText(".exe:").waitFor();
    }
    await expectHarmless(page, foreign);
    await page.context().close();
  });

  test("schemas, documents, queries and responses are texts", async () => {
    const { page, foreign } = await watched();
    await page.getByRole("button", { name: "Rank profile", exact: true }).click();
    await page.getByRole("button", { name: "Try an example" }).click();
    const ranking = page.getByRole("region", { name: "Ranking" });
    await ranking.waitFor();
    for (const [title, attack] of ["Schema", "Documents", "Query", "Captured response"].flatMap((title) =>
      attacks.slice(0, 4).map((attack) => [title, attack] as const),
    )) {
      const field = page.getByRole("textbox", { name: title, exact: true });
      if (!(await field.isVisible())) await page.locator("summary", { hasText: title }).first().click();
      const before = await field.inputValue();
      await field.fill(title === "Query" ? JSON.stringify({ "input.query(embedding)": attack }) : attack);
      await page.getByRole("region", { name: "Problems" }).waitFor();
      await field.fill(before);
      await ranking.waitFor();
    }
    const documents = page.getByRole("textbox", { name: "Documents", exact: true });
    const put = (id: string): string => JSON.stringify({ put: id, fields: { title: attacks[0] } });
    const id = `id:a:article::${attacks[1]}`;
    await documents.fill(put(id));
    await ranking.getByText(id).waitFor();
    // One of another type is no hit, and is told of.
    await documents.fill(`${put(id)}${put(`id:a:other::${attacks[1]}`)}`);
    await page
      .getByRole("region", { name: "Problems" })
      .getByText("id:a:other")
      .waitFor({ state: "attached" });
    await expectHarmless(page, foreign);
    await page.context().close();
  });

  test("no policy had to stop anything but what was typed as a style", () => {
    expect(browser.errors).toEqual([]);
  });
});
