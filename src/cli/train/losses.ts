import { parseType, renderSvg, renderText, Tensor } from "../../index.js";
import { writeFile } from "../files/files.js";
import { isColoured } from "../terminal/failure.js";
import { type Io, writeStyled } from "../terminal/io.js";

/** Where what was minimised is drawn. */
interface LossFlags {
  readonly plot?: boolean;
  readonly svg?: string;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** A picture of what was minimised, epoch by epoch. */
export async function drawLosses(losses: readonly number[], flags: LossFlags, io: Io): Promise<void> {
  const { plot, svg, json, dryRun } = flags;
  if (losses.length === 0) return;
  const tensor = Tensor.from(parseType(`tensor(epoch[${losses.length}])`), Float64Array.from(losses));
  const title = "what is minimised, by epoch";
  if (svg !== undefined && dryRun !== true)
    writeFile(svg, renderSvg(tensor, { title, kind: "line" }), io.cwd);
  if (plot !== true || json === true) return;
  const colour = isColoured(io, "stdout");
  const picture = renderText(tensor, { title, kind: "line", width: io.columns, colour });
  await writeStyled(io.stdout, `${picture}\n`, colour);
}
