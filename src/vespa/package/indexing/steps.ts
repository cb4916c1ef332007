/** What stands behind the word that a step begins with. */
export type StepArguments =
  | "nothing"
  /** The name of a field, or nothing for the field itself. */
  | "field?"
  | "name"
  | "number"
  | "number?"
  | "two numbers"
  | "text"
  /** An id and what is said to it: names, texts and numbers, as many as there are. */
  | "words"
  | "token settings"
  | "set settings"
  | "statement"
  | "script"
  | "condition"
  | "cases"
  | "inputs";

/** The steps of Vespa 8.600. */
// biome-ignore format: a table
export const steps: Readonly<Record<string, StepArguments>> = {
  attribute: "field?", index: "field?", summary: "field?", passthrough: "field?", input: "field?",
  get_field: "name", get_value: "name", get_var: "name", set_var: "name",
  binarize: "number?", random: "number?", ngram: "number", substring: "two numbers",
  join: "text", split: "text",
  chunk: "words", embed: "words", generate: "words",
  tokenize: "token settings",
  for_each: "statement", guard: "script", if: "condition", switch: "cases", select_input: "inputs",
  base64decode: "nothing", base64encode: "nothing", busy_wait: "nothing", clear_state: "nothing", echo: "nothing", exact: "nothing",
  flatten: "nothing", get_language: "nothing", hash: "nothing", hexdecode: "nothing", hexencode: "nothing", hostname: "nothing",
  lowercase: "nothing", normalize: "nothing", now: "nothing", optimize_predicate: "nothing", pack_bits: "nothing",
  set_language: "nothing", sleep: "nothing", this: "nothing", to_array: "nothing", to_bool: "nothing", to_byte: "nothing",
  to_double: "nothing", to_epoch_second: "nothing", to_float: "nothing", to_int: "nothing", to_long: "nothing", to_pos: "nothing",
  to_string: "nothing", to_uri: "nothing", to_wset: "set settings", trim: "nothing", zcurve: "nothing", true: "nothing", false: "nothing",
  _: "nothing",
};

/** Steps that write a value, which stays what it was. */
export const writingSteps: readonly string[] = ["attribute", "index", "summary"];

/** Steps that write nothing and leave a value what it was. */
export const preservingSteps: readonly string[] = [
  ...["_", "this", "passthrough", "echo", "set_var", "set_language"],
  ...["exact", "ngram", "tokenize"],
];

/** What a step may be told: alone, or with a value behind a colon. */
type StepSettings = Readonly<Record<string, "alone" | "text" | "number">>;

export const tokenSettings: StepSettings = {
  normalize: "alone",
  stem: "text",
  "max-length": "number",
  "max-token-length": "number",
  "max-occurrences": "number",
};

export const setSettings: StepSettings = { create_if_non_existent: "alone", remove_if_zero: "alone" };
