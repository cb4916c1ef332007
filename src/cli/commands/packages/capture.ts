import { type Command, Option } from "commander";
import { captureText, featuresOf, Ranking } from "../../../vespa.js";
import { isPackage } from "../../packages/package-files.js";
import {
  completed,
  loadPackage,
  loadProfile,
  mostCells,
  queryAt,
  responseAt,
} from "../../packages/ranking-inputs.js";
import { exit, failed, UsageError } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

/** `sphex capture RESPONSE`: a query response as tests that replay it. */
export function addCapture(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command("capture")
    .description("turn a query response with match features into tests of its rank profile")
    .argument("<response>", "a query response in JSON, or - for stdin")
    .argument("[package]", "an application package, or a schema file; this folder unless given", ".")
    .addOption(new Option("--profile <name>", "the rank profile that the response is of"))
    .addOption(new Option("--query <file>", "the query that was asked"))
    .addHelpText("after", example)
    .action(async (path: string, folder: string, flags: CaptureFlags) => {
      try {
        await capture(path, folder, flags, io);
        finish(exit.fine);
      } catch (error) {
        finish(await failed(error, {}, io));
      }
    });
}

interface CaptureFlags {
  readonly profile?: string;
  readonly query?: string;
}

async function capture(path: string, folder: string, flags: CaptureFlags, io: Io): Promise<void> {
  const asked = await queryAt(flags.query, io);
  const { hits, errors } = await responseAt(path, io);
  for (const each of errors) await write(io.stderr, `sphex: the response says: ${each}\n`);
  if (hits.length === 0) throw new UsageError(`there is no hit in ${path === "-" ? "stdin" : path}`);
  const loaded = isPackage(folder, io) ? loadPackage(folder, io) : undefined;
  const query = loaded === undefined ? asked : completed(asked, loaded);
  const name = flags.profile ?? query?.profile;
  const profile = loaded === undefined ? undefined : loadProfile(loaded, name);
  const captured = new Map(hits.flatMap((hit) => [...featuresOf(hit)]));
  const setting = { query, cells: mostCells };
  const ranking =
    loaded === undefined || profile === undefined
      ? undefined
      : new Ranking({
          package: loaded.package,
          profile,
          fallbacks: captured,
          setting,
          hasField: () => false,
        });
  const unsaid = asked === undefined ? (ranking?.program.inputs ?? []).filter(isOfQuery) : [];
  const lacking = unsaid.filter((each) => !captured.has(each) && query?.inputs.has(each) !== true);
  if (lacking.length > 0) await write(io.stderr, withoutQuery(lacking));
  const options = { name: path, profile: profile?.name ?? name ?? "default", ranking, query };
  await write(io.stdout, captureText(hits, options));
}

const isOfQuery = (feature: string): boolean => feature.startsWith("query(");

/** What a test lacks where neither the response nor a query says what was asked. */
const withoutQuery = (features: readonly string[]): string =>
  `sphex: without --query, the tests take ${features.join(", ")} as in a request that does not say so\n`;

const example = `
What the match features and summary features of a hit say is given to its test, and its relevance and the values of
functions are expected. The query should ask for enough hits, and the profile list the features that it uses.

Example:
  $ sphex capture response.json app --profile hybrid --query query.json > app/tests/captured.rank-test.yaml`;
