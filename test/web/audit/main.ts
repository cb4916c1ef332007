import { browserPath, PageBrowser } from "../browser.js";
import { findingsText, isOver } from "./finding.js";
import { loadingFindings } from "./loading.js";
import { surroundingsFindings } from "./surroundings.js";
import { viewFindings } from "./views.js";

/**
 * Audits the page as it was built, in a browser of this machine: how soon it is there, what it loads, whether everybody can use it, and
 * what it says of itself. Run by `npm run page-audit`; the exit code is 1 where anything is over its bound.
 */
if (browserPath === undefined) {
  console.error("There is no Chromium here.");
  process.exitCode = 1;
} else {
  const browser = await PageBrowser.start();
  const findings = [...(await loadingFindings(browser)), ...(await viewFindings(browser))];
  // Last: what was logged meanwhile is among it.
  findings.push(...(await surroundingsFindings(browser)));
  await browser.stop();
  console.info(findingsText(findings));
  if (findings.some(isOver)) process.exitCode = 1;
}
