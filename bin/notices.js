import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { load } from "./bundle.js";

/**
 * A step of the build: writes the notices of the packages that esbuild put into our bundles, with the texts of their licences,
 * as these ask for. Which packages they are, its metafiles say. The extension of VS Code, which is packed by itself, has notices of
 * its own: `node bin/notices.js vscode`.
 */
const root = new URL("../", import.meta.url);
const isExtension = process.argv[2] === "vscode";
const metafiles = isExtension ? ["vscode"] : ["library", "browser", "thread", "command", "web"];
const target = isExtension ? "dist/vscode/THIRD-PARTY-NOTICES.txt" : "dist/THIRD-PARTY-NOTICES.txt";

const folders = new Set(metafiles.flatMap(foldersIn));
const packages = [...folders].sort().map(packageIn);
load().replaceFile(fileURLToPath(new URL(target, root)), noticesText(packages));

/** The folders of the packages whose files are in the bundles of a build. */
function foldersIn(name) {
  const { outputs } = JSON.parse(read(`node_modules/.cache/sphex-build/${name}.json`));
  const inputs = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
}

function packageIn(folder) {
  const { name, version, license } = JSON.parse(read(`${folder}/package.json`));
  const file = readdirSync(new URL(folder, root)).find((each) => /^(?:licen[cs]e|copying)/i.test(each));
  // A package that does not have the text of its licence with it has it here.
  const path = file === undefined ? `bin/licences/${name.replace("/", "-")}.txt` : `${folder}/${file}`;
  if (license === undefined || !existsSync(new URL(path, root)))
    throw new Error(`${name} says nothing of its licence`);
  return { title: `${name} ${version} (${license})`, text: read(path).trim() };
}

/** The licences, each once, under the packages that have it. */
function noticesText(all) {
  const texts = new Map();
  for (const { title, text } of all) texts.set(text, [...(texts.get(text) ?? []), title]);
  const parts = [...texts].map(([text, titles]) => `${titles.join("\n")}\n\n${text}\n`);
  const changed = isExtension ? "" : " Chevrotain is changed there: bin/parser-core.js says how.";
  return [`Sphex has parts of these packages in its bundles.${changed}\n`, ...parts].join(
    `\n${"-".repeat(80)}\n\n`,
  );
}

function read(path) {
  return readFileSync(new URL(path, root), "utf8");
}
