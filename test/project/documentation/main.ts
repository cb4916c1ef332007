import { mkdirSync, writeFileSync } from "node:fs";
import { entries, type PublicItem, publicItems } from "./items.js";

/** Writes `dist/API.md`: all that the entries of the package export, as it is declared and documented. */
const names: Readonly<Record<(typeof entries)[number], string>> = {
  "src/index.ts": "sphex",
  "src/errors.ts": "sphex/errors",
  "src/models.ts": "sphex/models",
  "src/sql.ts": "sphex/sql",
  "src/vespa.ts": "sphex/vespa",
};

const items = publicItems(process.cwd());
const section = ({ name, kind, documentation = "", declaration }: PublicItem): string =>
  `### ${name}\n\n_${kind}_\n\n${documentation}\n\n\`\`\`ts\n${declaration}\n\`\`\`\n`;
const parts = entries.map((entry) => {
  const own = items.filter((each) => each.entry === entry);
  return `## ${names[entry]}\n\n${own.map(section).join("\n")}`;
});
mkdirSync("dist", { recursive: true });
writeFileSync("dist/API.md", `# The library, item by item\n\n${parts.join("\n")}`);
console.log(`dist/API.md: ${items.length} items`);
