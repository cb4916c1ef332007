import { visibleJson } from "../../language/source/hidden-characters.js";
import { append } from "../../language/source/lists.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { TensorType } from "../../language/types/type.js";
import { spanOfText } from "../../language/values/messages.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Program } from "../../program/program.js";
import { isReserved } from "../package/schemas/profiles/reserved-names.js";
import { hasExponent } from "../package/schemas/written-values.js";
import { type DefaultFault, problem } from "./messages.js";

/** An input of a program, as a rank profile has it: `query` of the request, `attribute` of the document. */
interface ProfileInput {
  readonly role: "query" | "attribute";
  readonly name: string;
  readonly type: TensorType;
  /** What the profile says that it is where a request lacks it. */
  readonly default?: Tensor | undefined;
}

/** The name of the rank profile, and of what it is in. */
export interface ExportOptions {
  /** Of the schema and its document type. */
  readonly name: string;
  /** Inputs whose defaults the profile shall not have, as the exporter has written them elsewhere. */
  readonly withoutDefault?: ReadonlySet<string>;
}

/**
 * The files of an application package whose rank profile `sphex` has the results of a program as functions: by path, with their
 * texts. The program must have been compiled in dialect vespa.
 * @throws SphexError where an input is none of a request or a document, or has a default that a schema cannot have, and where there are
 * tensors that outlast a run.
 */
export function exportApplication(program: Program, options: ExportOptions): ReadonlyMap<string, string> {
  const { name, withoutDefault = new Set() } = options;
  const inputs = profileInputs(program, withoutDefault);
  return new Map([
    [`schemas/${name}.sd`, schemaText(program, name, inputs)],
    ["services.xml", servicesText(name)],
  ]);
}

function profileInputs(program: Program, withoutDefault: ReadonlySet<string>): readonly ProfileInput[] {
  const { inputs } = program;
  const defaults = new Map([...program.defaults()].filter(([input]) => !withoutDefault.has(input)));
  const problems: Problem[] = [];
  const found = Array.from(inputs, ([input, type]): ProfileInput | undefined => {
    const [role, rest = ""] = input.split("(");
    const isNamed = (role === "query" || role === "attribute") && rest.endsWith(")");
    const span = spanOfText("input", input);
    if (!isNamed) problems.push(problem("export/input", span, { name: input, type }));
    else if (!type.isBound) problems.push(problem("export/unbound", span, { name: input, type }));
    const value = defaults.get(input);
    const fault = isNamed && defaults.has(input) ? faultOf(role, value) : undefined;
    if (fault !== undefined) problems.push(problem("export/default", span, { name: input, fault }));
    return isNamed ? { role, name: rest.slice(0, -1), type, default: value } : undefined;
  });
  append(problems, stateProblems(program));
  if (problems.length > 0) throw new SphexError(problems);
  return found.filter((each) => each !== undefined);
}

/** A profile has nothing that outlasts a query. */
function stateProblems({ variables, persistents }: Program): readonly Problem[] {
  const of = (role: "variable" | "persistent", names: Iterable<string>): Problem[] =>
    Array.from(names, (name) => problem("export/state", spanOfText(role, name), { name, role }));
  return [...of("variable", variables.keys()), ...of("persistent", persistents.keys())];
}

/** Why a schema cannot have a default, which is undefined where it is not the same in all runs. */
function faultOf(role: ProfileInput["role"], value: Tensor | undefined): DefaultFault | undefined {
  if (role === "attribute") return "attribute";
  if (value === undefined) return "varying";
  if (!Array.from(value.data, Number).every(Number.isFinite)) return "not finite";
  return hasExponent(defaultText(value)) ? "exponent" : undefined;
}

/** A default behind the name of its input, as a schema has it. */
const defaultText = (value: Tensor): string =>
  value.type.isScalar ? `double: ${visibleJson(value.asNumber())}` : `${value}`;

function schemaText(program: Program, name: string, inputs: readonly ProfileInput[]): string {
  const fields = inputs
    .filter(({ role }) => role === "attribute")
    .map(({ name, type }) => block(`field ${name} type ${typeText(type)}`, ["indexing: attribute"]));
  const declared = inputs
    .filter(({ role }) => role === "query")
    .map((input) => [
      `query(${input.name}) ${input.default === undefined ? typeText(input.type) : defaultText(input.default)}`,
    ]);
  const { ofResults: names, ofValues } = functionNames(program);
  const functions = [
    ...[...ofValues].flatMap(([value, name]) =>
      names.includes(name) ? [] : functionText(name, program.primitive({ result: value, deployed: true })),
    ),
    ...names.flatMap((each, result) => functionText(each, program.primitive({ result, deployed: true }))),
  ];
  const last = names.at(-1) ?? "";
  const isScore = program.results.at(-1)?.type.isScalar === true;
  const profile = block("rank-profile sphex", [
    ...(declared.length === 0 ? [] : block("inputs", declared.flat())),
    ...functions,
    ...block("first-phase", [`expression: ${isScore ? last : "0"}`]),
    ...block("match-features", names),
  ]);
  const lines = block(`schema ${name}`, [...block(`document ${name}`, fields.flat()), "", ...profile]);
  return `${lines.join("\n")}\n`;
}

/** The functions of the values by their names, or others where Vespa has something of its own by these, and of each result: of its own name, or of one that nothing has. */
export function functionNames({ results, values }: NamedParts): {
  readonly ofValues: ReadonlyMap<string, string>;
  readonly ofResults: readonly string[];
} {
  const taken = new Set(values.keys());
  const free = (name: string): string => {
    let candidate = name;
    for (let count = 2; taken.has(candidate); count++) candidate = `${name}_${count}`;
    taken.add(candidate);
    return candidate;
  };
  const ofValues = new Map([...values.keys()].map((name) => [name, isReserved(name) ? free(name) : name]));
  const ofResults = results.map(({ name }) =>
    name === undefined ? free("result") : (ofValues.get(name) ?? name),
  );
  return { ofValues, ofResults };
}

/** What of a program has names, and which of its results have them. */
interface NamedParts {
  readonly results: Program["results"];
  readonly values: Pick<ReadonlyMap<string, unknown>, "keys">;
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
