import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** The page as it was built, in a browser that is on this machine. */
const folder = join(process.cwd(), "dist", "web", "/");

const browsers = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Where a browser is; undefined where there is none, and the tests are left out. */
export const browserPath = browsers.find((path) => path !== undefined && existsSync(path));
if (browserPath === undefined)
  console.info("No Chromium is here: the tests of the page in a browser are left out.");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
};

/** A browser with a server of the built page. */
export class PageBrowser {
  /** What pages logged as errors, and exceptions that nobody caught. */
  readonly errors: string[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async start(): Promise<PageBrowser> {
    const server = createServer(({ url = "/" }, response) => {
      const path = join(folder, new URL(url, "http://page").pathname.replace(/\/$/, "/index.html"));
      if (!path.startsWith(folder) || !existsSync(path)) return void response.writeHead(404).end();
      response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" });
      response.end(readFileSync(path));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const browser = await chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox"] });
    return new PageBrowser(browser, server, `http://127.0.0.1:${port}/`);
  }

  /** A page with nothing kept but the document; null is a first visit. */
  async open(
    document: object | null = { cells: [expression("")] },
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const page = await this.empty(options);
    if (document !== null) {
      const stored = JSON.stringify({ sphex: 1, mode: "cells", dialect: "formalism", ...document });
      // Only once: what the page keeps later is there after a reload.
      await page.addInitScript((text) => {
        if (localStorage.getItem("sphex-document") === null) localStorage.setItem("sphex-document", text);
      }, stored);
    }
    await page.goto(this.address);
    await page.locator(".cell").first().waitFor();
    return page;
  }

  /** A page before it is loaded. */
  async empty(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on("console", (each) => {
      // Chromium writes styles into what is edited, which the policy refuses and the editor does not miss.
      const isOfEditing = each.text().startsWith("Applying inline style");
      if (each.type() === "error" && !isOfEditing) this.errors.push(`${each.text()} ${each.location().url}`);
    });
    page.on("pageerror", (error) => this.errors.push(error.message));
    return page;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }
}

/** A cell of a document as it is kept. */
export const expression = (text: string, name = "") => ({ kind: "expression", name, text });

/** The code editor of a cell, once it is there. */
export const editorOf = (page: Page, at: number) =>
  page.locator(".cell").nth(at).locator("sphex-editor .cm-content");

/** What came of a cell, as it is read. */
export const resultOf = (page: Page, at: number) => page.locator(".cell").nth(at).locator(".result");
