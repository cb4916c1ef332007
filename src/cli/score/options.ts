import { type Command, Option } from "commander";
import { collect, positiveWholeNumber, wholeNumber } from "../options/options.js";
import { UsageError } from "../terminal/failure.js";
import type { ScoreFlags } from "./hits.js";

/** The options that only mean something where judgments are. */
const judgedOptions = [
  ["queries", "--queries"],
  ["against", "--against"],
  ["againstRevision", "--against-revision"],
  ["againstProfile", "--against-profile"],
  ["sweep", "--sweep"],
  ["at", "--at"],
  ["seed", "--seed"],
] as const satisfies readonly (readonly [keyof ScoreFlags, string])[];

/** Without judgments: refuses the options that nothing would look at. @throws UsageError for the first of them. */
export function refuseJudgedOptions(flags: ScoreFlags): void {
  for (const [name, option] of judgedOptions)
    if (flags[name] !== undefined)
      throw new UsageError(`${option} is about judged queries: give --judgments FILE, too`);
}

/** What `sphex score` takes. */
export function withScoreOptions(command: Command): Command {
  return command
    .description("compute the scores that a rank profile gives documents for a query")
    .argument("[package]", "an application package, or a schema file; this folder unless given", ".")
    .addOption(new Option("--profile <name>", "the rank profile: profile, or schema.profile"))
    .addOption(new Option("--document <file>", "one document in JSON, as it is fed; - for stdin"))
    .addOption(
      new Option("--documents <file>", "a feed of documents, which are ranked; - for stdin").conflicts(
        "document",
      ),
    )
    .addOption(new Option("--query <file>", "a query request in JSON, or as the parameters of a URL"))
    .addOption(
      new Option("--features <file>", "features in a JSON object; may be repeated").argParser(collect),
    )
    .addOption(
      new Option("--feature <name=value>", "a feature: 'bm25(title)=3.2'; may be repeated").argParser(
        collect,
      ),
    )
    .addOption(
      new Option("--set <name=value>", "the same, as in other commands: 'query(w)=2'").argParser(collect),
    )
    .addOption(
      new Option("--response <file>", "a query response, whose features are used where none are given"),
    )
    .addOption(
      new Option("--compare <file>", "a query response: which of its hits move").conflicts([
        "response",
        "document",
      ]),
    )
    .addOption(
      new Option(
        "--nearest <field=input>",
        "which input a field is compared with; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option(
        "--statistics <file>",
        "compute bm25 and the like from words: a JSON file of what is counted, or feed for the documents",
      ),
    )
    .addOption(
      new Option(
        "--parents <file>",
        "a feed of the documents that fields are imported from; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option(
        "--now [time]",
        "the time of the query, for age and freshness: seconds, a date, or the clock's",
      ),
    )
    .addOption(
      new Option("--top <count>", "how many hits are shown; 10 at most at a terminal").argParser(wholeNumber),
    )
    .addOption(
      new Option(
        "--explain [name]",
        "how a phase or function is computed, in a list for its best hit; the first phase unless named",
      ).conflicts("json"),
    )
    .addOption(
      new Option("--why <name{address}>", "which cells made a cell of a phase or function").conflicts("json"),
    )
    .addOption(
      new Option("--queries <file>", "query requests with ids, for --judgments; - for stdin").conflicts(
        "query",
      ),
    )
    .addOption(
      new Option(
        "--judgments <file>",
        "how relevant documents are to queries, in qrels, CSV or JSON; shows NDCG and other measures",
      ),
    )
    .addOption(
      new Option("--against <package>", "with --judgments: the package to compare with, or app@HEAD~1"),
    )
    .addOption(
      new Option("--against-revision <revision>", "the same package in a revision of git").conflicts(
        "against",
      ),
    )
    .addOption(new Option("--against-profile <name>", "with --judgments: the rank profile to compare with"))
    .addOption(
      new Option("--sweep <input=range>", "with --judgments: 'query(w)=0..5:0.5', each value of an input"),
    )
    .addOption(
      new Option("--at <count>", "with --judgments: how many hits are looked at; 10 unless given").argParser(
        positiveWholeNumber,
      ),
    )
    .addOption(
      new Option("--seed <number>", "with --judgments: which queries the intervals draw").argParser(
        wholeNumber,
      ),
    )
    .addOption(
      new Option("--distributions", "the distribution of the values of each function over the documents"),
    )
    .addOption(new Option("--full", "write long tensors in full"))
    .addOption(new Option("--json", "write JSON; of a list a line for each hit"));
}
