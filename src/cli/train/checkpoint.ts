import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type JsonValue,
  parseJson,
  parseTensor,
  type Tensor,
  type TrainingCheckpoint,
  type TrainingSettings,
} from "../../index.js";
import { readNamed, readText, writeFile } from "../files/files.js";
import { UsageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** The version of the form of such files. */
const version = 3;

/** Where a training was that a file tells of; nothing where there is no such file yet. */
export function checkpointAt(path: string, io: Io): TrainingCheckpoint | undefined {
  if (!existsSync(resolve(io.cwd, path))) return undefined;
  const { tree, problems } = parseJson({ name: path, text: readNamed(path, io, readText) });
  const [epoch, step, items, settings, tensors] = ["epoch", "step", "items", "settings", "tensors"].map(
    (name) => tree?.member(name),
  );
  const isCheckpoint = tree?.member("sphex")?.string === "checkpoint" && problems.length === 0;
  if (isCheckpoint && tree?.member("version")?.number !== version)
    throw new UsageError(`${path} was written by another version of sphex`);
  const areNumbers = epoch?.number !== undefined && step?.number !== undefined && items?.number !== undefined;
  if (!isCheckpoint || !areNumbers || settings?.kind !== "object" || tensors === undefined)
    throw new UsageError(`${path} is no checkpoint that sphex has written`);
  const best = tree?.member("best");
  const [bestEpoch, loss, bestTensors] = ["epoch", "loss", "tensors"].map((name) => best?.member(name));
  return {
    ...{ epoch: epoch.number, step: step.number, items: items.number, tensors: tensorsIn(tensors) },
    settings: settings.value as unknown as TrainingSettings, // whose values the session checks
    ...(bestEpoch?.number === undefined || loss?.scalar === undefined || bestTensors === undefined
      ? {}
      : { best: { epoch: bestEpoch.number, loss: Number(loss.scalar), tensors: tensorsIn(bestTensors) } }),
  };
}

const tensorsIn = (tree: JsonValue): Record<string, Tensor> =>
  Object.fromEntries(Array.from(tree.entries(), ([name, value]) => [name, parseTensor(value.string ?? "")]));

/** Writes a checkpoint in one step: the old one is whole until the new one is. */
export function writeCheckpoint(
  path: string,
  checkpoint: TrainingCheckpoint,
  { cwd }: Pick<Io, "cwd">,
): void {
  const texts = (tensors: TrainingCheckpoint["tensors"]): Record<string, string> =>
    Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, `${tensor}`]));
  const { epoch, step, settings, items, tensors, best } = checkpoint;
  const content = {
    ...{ sphex: "checkpoint", version, epoch, step, settings, items, tensors: texts(tensors) },
    // As a text, for JSON has no NaN.
    ...(best === undefined ? {} : { best: { ...best, loss: `${best.loss}`, tensors: texts(best.tensors) } }),
  };
  writeFile(path, `${JSON.stringify(content, undefined, 2)}\n`, cwd);
}
