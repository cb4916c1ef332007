import type { PageBrowser } from "../browser.js";
import { brotliSize, neededForPaint, pageFiles } from "../files.js";
import { type Finding, none } from "./finding.js";

/** How soon the page is there, and what comes over the network for it. */

const sizeOf = (path: string): number => brotliSize(path === "/" ? "index.html" : path);
const sum = (paths: readonly string[]): number => paths.reduce((total, path) => total + sizeOf(path), 0);

interface Times {
  readonly paint: number;
  readonly ready: number;
  /** The longest that the page could answer nobody. */
  readonly task: number;
  readonly shift: number;
}

interface Visit extends Times {
  readonly own: readonly string[];
  readonly foreign: readonly string[];
}

/** Visits so often, on a wide screen and a narrow one: the least time is how quick the page is, all others how busy the machine. */
const visits = 5;

export async function loadingFindings(browser: PageBrowser): Promise<readonly Finding[]> {
  const all: Visit[] = [];
  for (let at = 0; at < visits; at++) all.push(await visit(browser, at % 2 === 0 ? 1440 : 390));
  const least = (of: (visit: Visit) => number): number => Math.min(...all.map(of));
  const paths = (of: (visit: Visit) => readonly string[]): string[] => [...new Set(all.flatMap(of))];
  const milliseconds = (what: string, of: (visit: Visit) => number, most: number): Finding => ({
    ...{ what, found: Math.round(least(of)), most, unit: "ms" },
  });
  const kilobytes = (what: string, loaded: readonly string[], most: number): Finding => ({
    ...{ what, found: sum(loaded) / 1000, most, unit: "kB" },
    details: loaded.toSorted((a, b) => sizeOf(b) - sizeOf(a)).map((path) => `${path} ${sizeOf(path)}`),
  });
  return [
    milliseconds("first paint", ({ paint }) => paint, 500),
    milliseconds("first result", ({ ready }) => ready, 1000),
    milliseconds("longest task of the page itself", ({ task }) => task, 200),
    { what: "layout shift", found: Math.max(...all.map(({ shift }) => shift)), most: 0.1, unit: "" },
    kilobytes("needed before the first paint", neededForPaint(), 100),
    kilobytes(
      "loaded for a first visit",
      paths(({ own }) => own),
      430,
    ),
    kilobytes("all files of the page", pageFiles(), 560),
    none(
      "requests to others",
      paths(({ foreign }) => foreign),
    ),
  ];
}

async function visit(browser: PageBrowser, width: number): Promise<Visit> {
  const { address } = browser;
  // What the page asks for itself, and not what it keeps for times without a network.
  const page = await browser.empty({ serviceWorkers: "block", viewport: { width, height: 800 } });
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.addInitScript(() => {
    const seen = { shift: 0, task: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const each of list.getEntries())
        if ("value" in each && typeof each.value === "number") seen.shift += each.value;
    }).observe({ type: "layout-shift", buffered: true });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.task = Math.max(seen.task, duration);
    }).observe({ type: "longtask", buffered: true });
  });
  await page.goto(address);
  await page.locator(".cell").last().locator(".value").waitFor();
  await page.locator("sphex-picture svg").waitFor();
  await page.waitForLoadState("networkidle");
  const times: Times = await page.evaluate(() => {
    const startOf = (name: string): number => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
    const { seen } = globalThis as unknown as { seen: { shift: number; task: number } };
    return { paint: startOf("first-contentful-paint"), ready: startOf("sphex-ready"), ...seen };
  });
  await page.context().close();
  const isOwn = (url: string): boolean => url.startsWith(address) || /^(?:data|blob):/.test(url);
  const own = requested.filter((url) => url.startsWith(address)).map((url) => new URL(url).pathname);
  return { ...times, own: [...new Set(own)], foreign: requested.filter((url) => !isOwn(url)) };
}
