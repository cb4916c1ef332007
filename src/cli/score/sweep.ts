import { canonicalName, parseJson, visibleJson } from "../../index.js";
import { evaluationJson, type NamedQuery, type SweepPoint, sweepText } from "../../vespa.js";
import { UsageError } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { type JudgedRequest, judgeQueries, loadJudged } from "./judged-package.js";

/** `--sweep`: how good the order of a profile is with each of many values of an input. */
export async function writeSweep(path: string, sweep: string, request: JudgedRequest, io: Io): Promise<void> {
  const { queries, flags } = request;
  const { name, values } = sweepIn(sweep);
  const side = { folder: path, profile: flags.profile, hasReportedProblems: false };
  const judged = await loadJudged(side, request, io);
  const points: SweepPoint[] = [];
  for (const value of values) {
    const withValue = queries.map((each) => withInput(each, name, value));
    points.push({ value, evaluation: (await judgeQueries(judged, io, withValue)).evaluation });
  }
  const json = points.map(({ value, evaluation }) => ({
    [name]: value,
    ...evaluationJson(evaluation, flags.seed),
  }));
  await write(
    io.stdout,
    flags.json === true
      ? json.map((each) => `${visibleJson(each)}\n`).join("")
      : `${sweepText(name, points)}\n`,
  );
}

/** `query(w)=0..5:0.5` */
function sweepIn(text: string): { readonly name: string; readonly values: readonly number[] } {
  const [, name = "", from, to, step = "1"] =
    /^(.+)=(-?[\d.]+)\.\.(-?[\d.]+)(?::([\d.]+))?$/.exec(text.trim()) ?? [];
  const [least, most, width] = [Number(from), Number(to), Number(step)];
  const count = Math.floor((most - least) / width + 1e-9) + 1;
  if (from === undefined || !(width > 0) || !(count >= 1) || count > 1000)
    throw new UsageError(`--sweep ${text}: write --sweep 'query(w)=0..5:0.5', with 1000 values at most`);
  // Sums of a step that is no power of two would drift.
  const values = Array.from({ length: count }, (_, at) => Number((least + at * width).toPrecision(12)));
  return { name: canonicalName(name.trim()), values };
}

function withInput({ id, query }: NamedQuery, name: string, value: number): NamedQuery {
  const { tree } = parseJson({ name: "--sweep", text: `${value}` });
  const inputs = new Map(query.inputs);
  if (tree !== undefined) inputs.set(name, tree);
  return { id, query: { ...query, inputs } };
}
