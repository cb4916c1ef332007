import type { PageBrowser } from "../browser.js";
import { type Finding, none } from "./finding.js";

/** What the page says of itself to browsers, and whether it needs a network. */

export async function surroundingsFindings(browser: PageBrowser): Promise<readonly Finding[]> {
  return [
    none("lines of the head that are missing", await missingLines(browser)),
    none("what does not work without a network", await failuresOffline(browser)),
    none("errors that were logged", browser.errors),
  ];
}

async function missingLines(browser: PageBrowser): Promise<readonly string[]> {
  const page = await browser.open(null);
  const missing = await page.evaluate(async () => {
    const has: Record<string, boolean> = {
      "a title": document.title !== "",
      "a language": document.documentElement.lang !== "",
      "a type of document": document.compatMode === "CSS1Compat",
      "one main heading": document.querySelectorAll("header h1").length === 1,
    };
    for (const [what, selector] of [
      ["an encoding", 'meta[charset="utf-8" i]'],
      [
        "a viewport that can be zoomed",
        'meta[name="viewport"][content*="width=device-width"]:not([content*="scal"][content*="maximum"], [content*="user-scalable=no"])',
      ],
      ["a description", 'meta[name="description"][content]'],
      ["both schemes of colours", 'meta[name="color-scheme"][content="light dark"]'],
      ["a policy for content", 'meta[http-equiv="Content-Security-Policy"][content*="default-src \'self\'"]'],
      ["an icon", 'link[rel="icon"]'],
      ["text for who has no JavaScript", "noscript"],
    ] as const)
      has[what] = document.querySelector(selector) !== null;
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    const manifest: Record<string, unknown> = link === null ? {} : await (await fetch(link.href)).json();
    for (const member of ["name", "start_url", "display", "icons"])
      has[`${member} in the manifest`] = manifest[member] !== undefined;
    return Object.entries(has).flatMap(([what, isThere]) => (isThere ? [] : [what]));
  });
  await page.context().close();
  return missing;
}

async function failuresOffline(browser: PageBrowser): Promise<readonly string[]> {
  const page = await browser.open(null);
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state !== "activated")
      await new Promise((resolve) => active?.addEventListener("statechange", resolve, { once: true }));
  });
  await page.context().setOffline(true);
  const failures: string[] = [];
  const within = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    await act().catch((error: unknown) =>
      failures.push(`${what}: ${error instanceof Error ? error.message : error}`),
    );
  };
  await within("a reload", () => page.reload());
  await within("a result", () => page.locator("sphex-picture svg").waitFor({ timeout: 20_000 }));
  for (const panel of ["Learn", "Rank profile", "Share", "Keys"])
    await within(panel, async () => {
      await page.getByRole("button", { name: panel, exact: true }).click({ timeout: 20_000 });
      await page.getByRole("complementary", { name: panel }).waitFor({ timeout: 20_000 });
    });
  await page.context().close();
  return failures;
}
