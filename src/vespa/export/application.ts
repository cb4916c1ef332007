import { type Problem, SphexError } from "../../language/source/problem.js";
import type { TensorType } from "../../language/types/type.js";
import { spanOfText } from "../../language/values/messages.js";
import type { Program } from "../../program/program.js";
import { problem } from "./messages.js";

/** An input of a program, as a rank profile has it: `query` of the request, `attribute` of the document. */
interface ProfileInput {
  readonly role: "query" | "attribute";
  readonly name: string;
  readonly type: TensorType;
}

/** The name of the rank profile, and of what it is in. */
export interface ExportOptions {
  /** Of the schema and its document type. */
  readonly name: string;
}

/**
 * The files of an application package whose rank profile `sphex` has the results of a program as functions: by path, with their
 * texts. The program must have been compiled in dialect vespa.
 * @throws SphexError where an input is none of a request or a document.
 */
export function exportApplication(program: Program, { name }: ExportOptions): ReadonlyMap<string, string> {
  const inputs = profileInputs(program.inputs);
  return new Map([
    [`schemas/${name}.sd`, schemaText(program, name, inputs)],
    ["services.xml", servicesText(name)],
  ]);
}

function profileInputs(inputs: ReadonlyMap<string, TensorType>): readonly ProfileInput[] {
  const problems: Problem[] = [];
  const found = Array.from(inputs, ([input, type]): ProfileInput | undefined => {
    const [role, rest = ""] = input.split("(");
    const isNamed = (role === "query" || role === "attribute") && rest.endsWith(")");
    const span = spanOfText("input", input);
    if (!isNamed) problems.push(problem("export/input", span, { name: input, type }));
    else if (!type.isBound) problems.push(problem("export/unbound", span, { name: input, type }));
    return isNamed ? { role, name: rest.slice(0, -1), type } : undefined;
  });
  if (problems.length > 0) throw new SphexError(problems);
  return found.filter((each) => each !== undefined);
}

function schemaText(program: Program, name: string, inputs: readonly ProfileInput[]): string {
  const fields = inputs
    .filter(({ role }) => role === "attribute")
    .map(({ name, type }) => block(`field ${name} type ${typeText(type)}`, ["indexing: attribute"]));
  const declared = inputs
    .filter(({ role }) => role === "query")
    .map(({ name, type }) => [`query(${name}) ${typeText(type)}`]);
  const names = resultNames(program);
  const values = [...program.values.keys()].filter((each) => !names.includes(each));
  const functions = [
    ...values.map((each) => functionText(each, program.primitive({ result: each, deployed: true }))),
    ...names.map((each, result) => functionText(each, program.primitive({ result, deployed: true }))),
  ];
  const last = names.at(-1) ?? "";
  const isScore = program.results.at(-1)?.type.isScalar === true;
  const profile = block("rank-profile sphex", [
    ...(declared.length === 0 ? [] : block("inputs", declared.flat())),
    ...functions.flat(),
    ...block("first-phase", [`expression: ${isScore ? last : "0"}`]),
    ...block("match-features", names),
  ]);
  const lines = block(`schema ${name}`, [...block(`document ${name}`, fields.flat()), "", ...profile]);
  return `${lines.join("\n")}\n`;
}

/** The function of each result: of its own name, or of one that no value has. */
function resultNames({ results, values }: Program): readonly string[] {
  const taken = new Set(values.keys());
  return results.map(({ name }) => {
    let candidate = name ?? "result";
    for (let count = 2; name === undefined && taken.has(candidate); count++) candidate = `result_${count}`;
    taken.add(candidate);
    return candidate;
  });
}

const functionText = (name: string, expression: string): readonly string[] =>
  block(`function ${name}()`, [`expression: ${expression}`]);

const typeText = (type: TensorType): string => (type.isScalar ? "double" : `${type}`);

/** A statement of a schema with what is in it. */
const block = (head: string, inside: readonly string[]): readonly string[] => [
  `${head} {`,
  ...inside.map((line) => (line === "" ? "" : `  ${line}`)),
  "}",
];

const servicesText = (name: string): string => `<?xml version="1.0" encoding="utf-8" ?>
<services version="1.0">
  <container id="default" version="1.0">
    <search />
    <document-api />
  </container>
  <content id="content" version="1.0">
    <min-redundancy>1</min-redundancy>
    <documents>
      <document type="${name}" mode="index" />
    </documents>
    <nodes>
      <node distribution-key="0" hostalias="node1" />
    </nodes>
  </content>
</services>
`;
