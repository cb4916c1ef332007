import { showTensor, type Tensor } from "../../index.js";
import type { PageDocument } from "../document/page-document.js";
import { type CellResults, cellText } from "./cell-results.js";

/** A document in Markdown: remarks as they are, expressions as code, values as tables. */
export function markdownOf({ cells }: PageDocument, results: CellResults): string {
  const blocks = cells.flatMap((cell): readonly string[] => {
    if (cell.kind === "remark") return [cell.text.trim()];
    if (cell.text.trim() === "") return [];
    const code = fenced(cellText(cell), "sphex");
    const values = results(cell.id).filter(({ isLiteral }) => !isLiteral);
    return [code, ...values.flatMap(({ key, tensor }) => valueBlocks(key, tensor))];
  });
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** The most cells of a table; of a larger value the beginning of its text is shown. */
const mostCells = 200;
const mostCharacters = 2_000;

function valueBlocks(key: string, tensor: Tensor): readonly string[] {
  const title = key === "" ? `\`${tensor.type}\`` : `\`${key}\`: \`${tensor.type}\``;
  if (tensor.type.isScalar) return [`${title} → **${showTensor(tensor)}**`];
  if (tensor.data.length <= mostCells) return [title, showTensor(tensor, { format: "markdown" })];
  return [title, fenced(`${showTensor(tensor).slice(0, mostCharacters)} …`, "")];
}

/** Code between fences longer than any run of backticks in it. */
function fenced(code: string, language: string): string {
  let longest = 0;
  let run = 0;
  for (const character of code) {
    run = character === "`" ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}
