import { type Command, Option } from "commander";
import { collect, positiveWholeNumber, wholeNumber } from "../options/options.js";
import { UsageError } from "../terminal/failure.js";
import type { ScoreFlags } from "./hits.js";

/** An option of `sphex score`. */
interface ScoreOption {
  readonly flags: string;
  readonly description: string;
  /** What its text is, where it is more than a text. */
  readonly form?: keyof typeof forms;
  readonly conflicts?: readonly string[];
  /** Whether it only means something where judgments are. */
  readonly isJudged?: true;
}

const forms = {
  repeated: (option: Option) => option.argParser(collect),
  "whole number": (option: Option) => option.argParser(wholeNumber),
  "number above 0": (option: Option) => option.argParser(positiveWholeNumber),
} as const;

// biome-ignore format: a table
const options: readonly ScoreOption[] = [
  { flags: "--profile <name>",              description: "the rank profile: profile, or schema.profile" },
  { flags: "--document <file>",             description: "one document in JSON, as it is fed; - for stdin" },
  { flags: "--documents <file>",            description: "a feed of documents, which are ranked; - for stdin", conflicts: ["document"] },
  { flags: "--query <file>",                description: "a query request in JSON, or as the parameters of a URL" },
  { flags: "--features <file>",             description: "features in a JSON object; may be repeated", form: "repeated" },
  { flags: "--feature <name=value>",        description: "a feature: 'bm25(title)=3.2'; may be repeated", form: "repeated" },
  { flags: "--set <name=value>",            description: "the same, as in other commands: 'query(w)=2'", form: "repeated" },
  { flags: "--response <file>",             description: "a query response, whose features are used where none are given" },
  { flags: "--compare <file>",              description: "a query response: which of its hits move", conflicts: ["response", "document"] },
  { flags: "--nearest <field=input>",       description: "which input a field is compared with; may be repeated", form: "repeated" },
  { flags: "--statistics <file>",           description: "compute bm25 and the like from words: a JSON file of what is counted, or feed for the documents" },
  { flags: "--parents <file>",              description: "a feed of the documents that fields are imported from; may be repeated", form: "repeated" },
  { flags: "--now [time]",                  description: "the time of the query, for age and freshness: seconds, a date, or the clock's" },
  { flags: "--top <count>",                 description: "how many hits are shown; 10 at most at a terminal", form: "whole number" },
  { flags: "--explain [name]",              description: "how a phase or function is computed, in a list for its best hit; the first phase unless named", conflicts: ["json"] },
  { flags: "--why <name{address}>",         description: "which cells made a cell of a phase or function", conflicts: ["json"] },
  { flags: "--queries <file>",              description: "query requests with ids, for --judgments; - for stdin", conflicts: ["query"], isJudged: true },
  { flags: "--judgments <file>",            description: "how relevant documents are to queries, in qrels, CSV or JSON; shows NDCG and other measures" },
  { flags: "--against <package>",           description: "with --judgments: the package to compare with, or app@HEAD~1", isJudged: true },
  { flags: "--against-revision <revision>", description: "the same package in a revision of git", conflicts: ["against"], isJudged: true },
  { flags: "--against-profile <name>",      description: "with --judgments: the rank profile to compare with", isJudged: true },
  { flags: "--sweep <input=range>",         description: "with --judgments: 'query(w)=0..5:0.5', each value of an input", isJudged: true },
  { flags: "--at <count>",                  description: "with --judgments: how many hits are looked at; 10 unless given", form: "number above 0", isJudged: true },
  { flags: "--seed <number>",               description: "with --judgments: which queries the intervals draw", form: "whole number", isJudged: true },
  { flags: "--distributions",               description: "the distribution of the values of each function over the documents" },
  { flags: "--full",                        description: "write long tensors in full" },
  { flags: "--json",                        description: "write JSON; of a list a line for each hit" },
];

/** What `sphex score` takes. */
export function withScoreOptions(command: Command): Command {
  command
    .description("compute the scores that a rank profile gives documents for a query")
    .argument("[package]", "an application package, or a schema file; this folder unless given", ".");
  for (const each of options) command.addOption(optionOf(each));
  return command;
}

function optionOf({ flags, description, form, conflicts = [] }: ScoreOption): Option {
  const option = new Option(flags, description).conflicts([...conflicts]);
  return form === undefined ? option : forms[form](option);
}

/** Without judgments: refuses the options that nothing would look at. @throws UsageError for the first of them. */
export function refuseJudgedOptions(scoreFlags: ScoreFlags): void {
  const present = new Map(Object.entries(scoreFlags));
  for (const each of options.filter(({ isJudged }) => isJudged === true)) {
    const option = optionOf(each);
    if (present.get(option.attributeName()) !== undefined)
      throw new UsageError(`${option.long} is about judged queries: give --judgments FILE, too`);
  }
}
