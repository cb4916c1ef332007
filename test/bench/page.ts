import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { uniform } from "../../src/program/random.js";
import { browserPath, expression, PageBrowser } from "../web/browser.js";

/**
 * How quick the page is, in a browser of this machine: from a key to the new result of a document of ten cells, from the
 * address to the first result, and how many bytes are loaded. Run by `npm run bench:web`, after which it says what it found.
 * After a key Chromium delivers messages of workers only behind the next frame, so that up to 17 ms of a result are its own:
 * with `--disable-features=DeferRendererTasksAfterInput` half of the results are there within 10 ms.
 */
const presses = 80;

const cells = [
  expression("tensor<float>(x[8]):[1,2,3,4,5,6,7,8]", "query(q)"),
  expression("tensor<float>(d{},x[8])(x+1)", "unused"),
  expression("tensor<float>(d{},x[8]):{a:[1,0,2,0,1,0,2,0],b:[0,1,1,0,0,1,1,0],c:[3,1,0,2,3,1,0,2]}", "docs"),
  expression("1", "factor"),
  expression("query(q) * factor", "scaled"),
  expression("sum(scaled * docs, x)", "scores"),
  expression("softmax(scores, d)", "weights"),
  expression("sum(weights * docs, d)", "mixed"),
  expression("l2_normalize(mixed, x)", "unit"),
  expression("sum(unit * scaled) + factor", "last"),
].map((cell) => (cell.name === "unused" ? { ...cell, text: "tensor<float>(x[8])(x + 1)" } : cell));

/** The number that so many of some are below, from 0 to 1. */
const quantile = (all: readonly number[], share: number): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? Number.NaN;
const median = (all: readonly number[]): number => quantile(all, 0.5);

async function keyToResult(browser: PageBrowser): Promise<readonly number[]> {
  const page = await browser.open({ cells });
  await page.locator(".cell").last().locator(".number").waitFor();
  await page.locator(".cell").nth(3).locator(".cm-content").click();
  await page.keyboard.press("End");
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { times });
    let pressed = 0;
    addEventListener("keydown", ({ timeStamp }) => (pressed = timeStamp), true);
    const number = document.querySelector(".cell:last-of-type .number");
    if (number !== null)
      new MutationObserver(() => {
        if (pressed > 0) times.push(performance.now() - pressed);
        pressed = 0;
      }).observe(number, { characterData: true, childList: true, subtree: true });
  });
  const chance = uniform(1);
  for (let at = 0; at < presses; at++) {
    // What waits for a result goes on with a frame of the browser, and nobody types by those.
    await setTimeout(50 + 50 * chance());
    await page.keyboard.press(at % 2 === 0 ? `${1 + (at % 9)}` : "Backspace");
    await page.waitForFunction(
      (count) => (globalThis as unknown as { times: number[] }).times.length > count,
      at,
    );
  }
  const times = await page.evaluate(() => (globalThis as unknown as { times: number[] }).times);
  await page.context().close();
  return times.slice(10);
}

/** From the request of the page to the first result, and to the first paint. */
async function readiness(browser: PageBrowser): Promise<{ ready: number; paint: number }> {
  const page = await browser.open({ cells: [expression("6 * 7")] });
  await page.locator(".number", { hasText: "42" }).waitFor();
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
  const ready = await page.evaluate(
    () => performance.getEntriesByName("sphex-ready")[0]?.startTime ?? Number.NaN,
  );
  await page.context().close();
  return { ready, paint };
}

function sizes(): readonly string[] {
  const folder = join(process.cwd(), "dist", "web", "/");
  const files = readdirSync(folder).filter((name) => /\.(?:js|css|html|svg|webmanifest)$/.test(name));
  const rows = files.map((name) => {
    const bytes = readFileSync(folder + name);
    return { name, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
  });
  const all = rows.reduce(
    (sum, { gzip, brotli }) => ({ name: "all", gzip: sum.gzip + gzip, brotli: sum.brotli + brotli }),
    {
      ...{ name: "all", gzip: 0, brotli: 0 },
    },
  );
  const shown = [...rows.sort((a, b) => b.gzip - a.gzip).slice(0, 12), all];
  return shown.map(
    ({ name, gzip, brotli }) => `${name.padEnd(24)} ${kilobytes(gzip)} gzip ${kilobytes(brotli)} brotli`,
  );
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1).padStart(7)} kB`;

if (browserPath === undefined) console.info("There is no Chromium here.");
else {
  const browser = await PageBrowser.start();
  const times = await keyToResult(browser);
  // On a busy machine the median says how busy it is; the tenth that is quickest, how quick the page is.
  const shares = [0.1, 0.5, 0.95].map(
    (share) => `${100 * share} % within ${quantile(times, share).toFixed(1)} ms`,
  );
  console.info(`key to result of ten cells: ${shares.join(", ")}`);
  const starts = [];
  for (let at = 0; at < 5; at++) starts.push(await readiness(browser));
  console.info(`first paint: median ${median(starts.map(({ paint }) => paint)).toFixed(0)} ms`);
  console.info(`ready (first result): median ${median(starts.map(({ ready }) => ready)).toFixed(0)} ms`);
  for (const line of sizes()) console.info(line);
  await browser.stop();
}
