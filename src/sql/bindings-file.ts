import type { JsonValue } from "../formats/json/value.js";
import { readYaml } from "../formats/yaml/read.js";
import { nearest } from "../language/source/nearest.js";
import { type Problem, SphexError } from "../language/source/problem.js";
import type { Source } from "../language/source/span.js";
import {
  type Binding,
  type Bindings,
  duplicateRules,
  missingRules,
  nullRules,
  sourceKinds,
  type TableSource,
} from "./bindings.js";
import { problem } from "./messages.js";

/** A file of bindings, in YAML or JSON: an object of inputs, each with what is bound to it. */

const keys = [
  ...sourceKinds,
  "dimensions",
  "value",
  "block",
  "duplicates",
  "missing",
  "nulls",
  "partition",
  "replicated",
  "trusted",
];

/**
 * Reads which tables or files the inputs of a program are bound to, from a file in YAML or JSON.
 * @throws SphexError with all problems of the file, each at its span.
 */
export async function readBindings(source: Source): Promise<Bindings> {
  const { tree, problems } = await readYaml(source);
  if (tree === undefined) throw new SphexError(problems);
  const reading = new BindingsReading();
  const bindings = reading.all(tree);
  if (reading.problems.length > 0) throw new SphexError(reading.problems);
  return bindings;
}

class BindingsReading {
  readonly problems: Problem[] = [];

  all(file: JsonValue): Bindings {
    if (file.kind !== "object") this.wrong(file, "inputs", "an object of inputs and their bindings");
    return Object.fromEntries(Array.from(file.entries(), ([name, each]) => [name, this.binding(each)]));
  }

  private binding(value: JsonValue): Binding {
    if (value.kind !== "object") this.wrong(value, "binding", "an object");
    for (const [key, { keySpan }] of value.entries())
      if (!keys.includes(key))
        this.problems.push(problem("binding/key", keySpan, { key, nearest: nearest(key, keys) }));
    const cells = this.text(value, "value");
    const block = this.text(value, "block");
    const duplicates = this.choice(value, "duplicates", duplicateRules);
    const missing = this.choice(value, "missing", missingRules);
    const nulls = this.choice(value, "nulls", nullRules);
    const partition = this.text(value, "partition");
    const [isTrusted, isReplicated] = [this.flag(value, "trusted"), this.flag(value, "replicated")];
    return {
      source: this.source(value),
      dimensions: this.dimensions(value),
      ...(cells === undefined ? {} : { value: cells }),
      ...(block === undefined ? {} : { block }),
      ...(duplicates === undefined ? {} : { duplicates }),
      ...(missing === undefined ? {} : { missing }),
      ...(nulls === undefined ? {} : { nulls }),
      ...(partition === undefined ? {} : { partition }),
      ...(isReplicated ? { isReplicated } : {}),
      ...(isTrusted ? { isTrusted } : {}),
    };
  }

  private source(value: JsonValue): TableSource {
    const found = sourceKinds.filter((kind) => value.member(kind) !== undefined);
    const [key] = found;
    if (key === undefined || found.length > 1) {
      this.wrong(value, "source", "one of table, file and query");
      return { table: "" };
    }
    const text = this.text(value, key) ?? "";
    return key === "table" ? { table: text } : key === "file" ? { file: text } : { query: text };
  }

  private dimensions(value: JsonValue): Readonly<Record<string, string>> {
    const member = value.member("dimensions");
    if (member === undefined) return {};
    if (member.kind !== "object")
      this.wrong(member, "dimensions", "an object of dimensions and their columns");
    return Object.fromEntries(
      Array.from(member.entries(), ([name, column]) => {
        if (column.string === undefined) this.wrong(column, "column", "a text");
        return [name, column.string ?? ""];
      }),
    );
  }

  private text(value: JsonValue, key: string): string | undefined {
    const member = value.member(key);
    if (member !== undefined && (member.string ?? "") === "") this.wrong(member, key, "a text");
    return member?.string;
  }

  private flag(value: JsonValue, key: string): boolean {
    const member = value.member(key);
    if (member !== undefined && member.kind !== "boolean") this.wrong(member, key, "true or false");
    return member?.scalar === true;
  }

  private choice<T extends string>(value: JsonValue, key: string, choices: readonly T[]): T | undefined {
    const member = value.member(key);
    if (member === undefined) return undefined;
    const found = choices.find((each) => each === member.string);
    if (found === undefined) this.wrong(member, key, choices.join(", "));
    return found;
  }

  private wrong({ kind, span, string }: JsonValue, key: string, expected: string): void {
    this.problems.push(problem("binding/value", span, { key, found: string ?? kind, expected }));
  }
}
