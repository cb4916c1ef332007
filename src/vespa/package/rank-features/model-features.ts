import type { Checker } from "../../../language/check/checker.js";
import { CallableModel } from "../../../language/check/models/model-calls.js";
import { type Model as ModelFile, type ModelPort, portType } from "../../../language/check/models/models.js";
import { featureName } from "../../../language/check/names.js";
import { originIn, type Scope } from "../../../language/check/scope.js";
import type { Node } from "../../../language/core/operations.js";
import { nearest } from "../../../language/source/nearest.js";
import { type Problem, SphexError } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import { parseExpression } from "../../../language/syntax/parse.js";
import type { Reference } from "../../../language/syntax/tree.js";
import { TensorType } from "../../../language/types/type.js";
import { normal } from "../model/files.js";
import { problem } from "../model/messages.js";
import type { Model, Profile } from "../model/model.js";

/**
 * Features that are models: `onnx(name).output`, `onnx("file")`, `xgboost("file")`, `lightgbm("file")`. Where the file is in the
 * package and can be read, the feature is a part of the program; its inputs are the features that are bound to them. Otherwise it
 * stays a feature that somebody has to give.
 */
export type ModelValue = Node | TensorType | "untyped";

/** A model of a profile where an expression mentions it. */
interface Mention {
  readonly profile: Profile;
  readonly checker: Checker;
  readonly feature: Reference;
  readonly scope: Scope;
}

/** `onnx(name).output` or `onnx("file").output` */
export function onnxFeature(mention: Mention): ModelValue {
  const { profile, checker, feature, scope } = mention;
  const [argument] = feature.arguments ?? [];
  if (argument?.kind === "text") {
    const declared = { inputs: new Map<string, string>(), outputs: new Map<string, string>() };
    return modelValue(mention, argument.value, `models/${argument.value}`, declared);
  }
  if (argument?.kind !== "reference" || profile.isPartial || profile.isOpen) return "untyped";
  const name = featureName(argument);
  const found = profile.models.get(name);
  if (found === undefined) {
    const values = { model: name, nearest: checker.guess(name, () => profile.models.keys()) };
    checker.report(scope)(problem("feature/model", argument.span, values));
    return "untyped";
  }
  let isSound = true;
  for (const [input, source] of found.inputs) {
    const values = missingSource(profile, { model: name, input, source });
    if (values === undefined) continue;
    checker.report(scope)(problem("model/input", argument.span, values));
    isSound = false;
  }
  if (found.file === undefined || !isSound) return "untyped";
  return modelValue(mention, name, found.file, found);
}

/** `xgboost("file")` and `lightgbm("file")`: the features of the forest are rank features. */
export function forestFeature(mention: Mention): ModelValue {
  const { feature } = mention;
  const [argument] = feature.arguments ?? [];
  if (argument?.kind !== "text" || feature.arguments?.length !== 1) return TensorType.scalar;
  const declared = { inputs: new Map<string, string>(), outputs: new Map<string, string>() };
  const value = modelValue(
    mention,
    argument.value,
    `models/${argument.value}`,
    declared,
    (port) => port.label,
  );
  return value === "untyped" ? TensorType.scalar : value;
}

interface ModelInput {
  readonly model: string;
  readonly input: string;
  readonly source: string;
}

/** What is handed to a model has to be there: a function of the profile, an attribute or a constant. */
function missingSource(
  { fields, functions, constants }: Profile,
  { model, input, source }: ModelInput,
): (ModelInput & { readonly name: string; readonly nearest: string | undefined }) | undefined {
  const [, head, name = source] =
    /^(attribute|constant|rankingExpression)\(\s*([\w$.-]+)\s*\)$/.exec(source) ?? [];
  const all = head === "attribute" ? fields : head === "constant" ? constants : functions;
  const isFeature = head === undefined && !/^[A-Za-z_]\w*$/.test(source);
  const isMissing = !all.has(name) || (head === "attribute" && fields.get(name)?.isAttribute !== true);
  if (!isMissing || isFeature) return undefined;
  return { model, input, source, name: source, nearest: nearest(name, all.keys()) };
}

/** The value of an output, where the file of the model can be read. */
function modelValue(
  { profile, checker, feature, scope }: Mention,
  name: string,
  path: string,
  declared: Pick<Model, "inputs" | "outputs">,
  /** What an input is where nothing is declared. */
  sourceOf: (port: ModelPort) => string = (port) => identifier(port.label),
): ModelValue {
  const { span } = feature;
  const report = checker.report(scope);
  const file = profile.modelIn?.(path);
  if (file === undefined) {
    const missing = missingFile(profile, name, path, span);
    if (missing !== undefined) report(missing);
    return "untyped";
  }
  if (!("inputs" in file)) {
    for (const each of file) report(unread(each, span, name));
    return "untyped";
  }
  if (!fits(checker, name, file, declared, span, scope)) return "untyped";
  const output = outputOf(checker, name, file, declared, feature, scope);
  if (output === undefined) return "untyped";
  const callable = callableOf(checker, name, file, span);
  const args = callable.model.inputs.map((port) => {
    const source = sourceNamed(declared.inputs, port) ?? sourceOf(port);
    return sourceNode(checker, name, port, source, span, scope);
  });
  const nodes = args.filter((each) => each !== undefined);
  if (nodes.length < args.length) return "untyped";
  const fitted = callable.fitted(
    checker,
    nodes.map((node, at) => ({ port: file.inputs[at] ?? output, node, span })),
    scope,
  );
  if (fitted === undefined) return "untyped";
  if (!fitted.every((each) => each.type.isBound)) return portType(output);
  try {
    return callable.output(checker, fitted, file.outputs.indexOf(output), span, scope) ?? "untyped";
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    for (const each of error.problems) report(unread(each, span, name));
    const type = portType(output);
    return type.isBound ? type : "untyped";
  }
}

/** A file that is not there where others are. Of a folder of which nothing is there, all may come later. */
function missingFile({ filesIn }: Profile, model: string, path: string, span: Span): Problem | undefined {
  const inside = normal(path) ?? path;
  const folder = inside.slice(0, Math.max(inside.lastIndexOf("/"), 0));
  const beside = folder === "" ? [] : (filesIn?.(folder) ?? []);
  if (beside.length === 0 || beside.includes(inside)) return undefined;
  return problem("model/no-file", span, { model, path, nearest: nearest(inside, beside) });
}

/** What is no model here may be one for Vespa: the value of its feature is somebody else's. */
const unread = (cause: Problem, span: Span, model: string): Problem =>
  problem("model/unread", span, {
    model,
    reason: cause.description.message,
    hint: cause.description.hint,
  });

/** Whether the inputs and outputs that are declared are those of the model. */
function fits(
  checker: Checker,
  model: string,
  { inputs, outputs }: ModelFile,
  declared: Pick<Model, "inputs" | "outputs">,
  span: Span,
  scope: Scope,
): boolean {
  const report = checker.report(scope);
  let isSound = true;
  const look = (what: "input" | "output", name: string, ports: readonly ModelPort[]): void => {
    if (ports.some((port) => isNamed(port, name))) return;
    const labels = ports.map((each) => each.label);
    const values = { model, what, name, nearest: checker.guess(name, () => labels), names: labels };
    report(problem("model/unknown-port", span, values));
    isSound = false;
  };
  for (const name of declared.inputs.keys()) look("input", name, inputs);
  for (const name of declared.outputs.keys()) look("output", name, outputs);
  return isSound;
}

const isNamed = ({ name, label }: ModelPort, text: string): boolean =>
  text === label || text === name || text === identifier(label);

/** What Vespa makes of a name that is no word. */
const identifier = (label: string): string => label.replaceAll(/[^\w$@]/g, "_");

const sourceNamed = (inputs: ReadonlyMap<string, string>, port: ModelPort): string | undefined =>
  [...inputs].find(([name]) => isNamed(port, name))?.[1];

/** The output that a feature asks for; the first by default. */
function outputOf(
  checker: Checker,
  model: string,
  { outputs }: ModelFile,
  declared: Pick<Model, "outputs">,
  feature: Reference,
  scope: Scope,
): ModelPort | undefined {
  const text = feature.outputs.map((each) => each.text).join(".");
  const [first] = declared.outputs.keys();
  const label = text === "" ? first : ([...declared.outputs].find(([, name]) => name === text)?.[0] ?? text);
  const found = label === undefined ? outputs[0] : outputs.find((each) => isNamed(each, label));
  if (found !== undefined) return found;
  const names = outputs.map((each) => each.label);
  const nearestName = checker.guess(text, () => names);
  const values = { model, what: "output", name: text, nearest: nearestName, names } as const;
  checker.report(scope)(problem("model/unknown-port", feature.span, values));
  return undefined;
}

/** The value that is bound to an input. */
function sourceNode(
  checker: Checker,
  model: string,
  port: ModelPort,
  source: string,
  call: Span,
  scope: Scope,
): Node | undefined {
  const text = { name: `input ${port.label} of ${model}`, text: source };
  const { tree } = parseExpression(text);
  if (tree === undefined) {
    const values = { model, input: port.label, source, name: source, nearest: undefined };
    return void checker.report(scope)(problem("model/input", call, values));
  }
  const { names } = checker.context;
  const definedAt = { source: text, start: 0, end: source.length };
  const inner = scope.expansion(originIn(scope, { name: model, call, inPrelude: false, names, definedAt }));
  return checker.withSite(inner, () => checker.node(tree, inner));
}

/** The models that were called so far where a profile is checked. */
const callables = new WeakMap<Checker, Map<string, CallableModel>>();

function callableOf(checker: Checker, name: string, model: ModelFile, span: Span): CallableModel {
  const ofChecker = callables.get(checker) ?? new Map<string, CallableModel>();
  callables.set(checker, ofChecker);
  const callable = ofChecker.get(name) ?? new CallableModel(name, model, span);
  ofChecker.set(name, callable);
  return callable;
}
