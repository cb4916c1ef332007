import { featureName } from "../../../language/check/names.js";
import { nearest } from "../../../language/source/nearest.js";
import { TensorType } from "../../../language/types/type.js";
import { problem } from "../model/messages.js";
import type { Profile } from "../model/model.js";
import { type Mention, MentionedModel, type ModelValue } from "./mentioned-model.js";

/**
 * Features that are models: `onnx(name).output`, `onnx("file")`, `xgboost("file")`, `lightgbm("file")`. Where the file is in the
 * package and can be read, the feature is a part of the program; its inputs are the features that are bound to them. Otherwise it
 * stays a feature that somebody has to give.
 */

/** `onnx(name).output` or `onnx("file").output` */
export function onnxFeature(mention: Mention): ModelValue {
  const { profile, checker, feature, scope } = mention;
  const [argument] = feature.arguments ?? [];
  if (argument?.kind === "text") {
    return new MentionedModel(mention, argument.value).value(`models/${argument.value}`);
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
  return new MentionedModel(mention, name, found).value(found.file);
}

/** `xgboost("file")` and `lightgbm("file")`: the features of the forest are rank features. */
export function forestFeature(mention: Mention): ModelValue {
  const { feature } = mention;
  const [argument] = feature.arguments ?? [];
  if (argument?.kind !== "text" || feature.arguments?.length !== 1) return TensorType.scalar;
  const model = new MentionedModel(mention, argument.value);
  const value = model.value(`models/${argument.value}`, (port) => port.label);
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
