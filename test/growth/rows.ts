import { documentRows } from "./documents.js";
import { formatRows } from "./formats.js";
import { lineRows } from "./lines.js";
import { modelRows } from "./models.js";
import { packageRows } from "./packages.js";
import { programRows } from "./programs.js";
import type { GrowthRow } from "./row.js";
import { tableRows } from "./tables.js";

/** All kinds of input whose cost must grow as their size. */
export const growthRows: readonly GrowthRow[] = [
  ...programRows,
  ...formatRows,
  ...documentRows,
  ...packageRows,
  ...lineRows,
  ...modelRows,
  ...tableRows,
];
