// npm run release: what is to be true before a version is published, and with --publish its publication. Without, all of it but that:
// the package is packed and its files are listed.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values: settings } = parseArgs({
  options: { tag: { type: "string" }, publish: { type: "boolean", default: false } },
});
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const run = (command, ...parts) =>
  execFileSync(command, parts, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const problems = [];

if (settings.tag !== undefined && settings.tag !== `v${version}`)
  problems.push(`the tag is ${settings.tag}, and package.json has ${version}`);
const changelog = readFileSync("CHANGELOG.md", "utf8");
if (!changelog.includes(`## ${version}`)) problems.push(`CHANGELOG.md has no section ## ${version}`);
if (run("git", "status", "--porcelain").trim() !== "")
  problems.push("there are changes that are not committed");

run("npm", "run", "--silent", "build");
run("npm", "run", "--silent", "lint:package");
const [packed] = JSON.parse(run("npm", "pack", "--dry-run", "--ignore-scripts", "--json"));
for (const file of [
  "dist/index.js",
  "dist/types/index.d.ts",
  "dist/browser.js",
  "dist/thread.js",
  "dist/THIRD-PARTY-NOTICES.txt",
  "bin/sphex.js",
  "LICENSE",
  "README.md",
])
  if (!packed.files.some(({ path }) => path === file)) problems.push(`the package lacks ${file}`);
console.log(
  `${packed.name} ${packed.version}: ${packed.files.length} files, ${(packed.size / 2 ** 20).toFixed(1)} MiB packed`,
);

if (problems.length > 0) {
  for (const each of problems) console.log(`not ready: ${each}`);
  process.exitCode = settings.publish ? 1 : 0;
} else if (settings.publish) run("npm", "publish", "--provenance", "--access", "public");
else console.log("ready: push the tag");
