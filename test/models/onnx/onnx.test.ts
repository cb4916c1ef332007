import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { operatorRows } from "../../../src/models/onnx/operators.js";
import { patient } from "../../patience.js";
import { filesOf } from "./archive.js";
import { netDifference, netsIn } from "./nets.js";
import { casesIn, runCase, type Verdict } from "./suite.js";

/** ONNX's own cases, which stand beside the project; where they are absent, as in any clone, their tests skip. */
const folder = fileURLToPath(new URL("../../../../shared/conformance/onnx/", import.meta.url));
const isThere = existsSync(folder);
const patience = { timeout: 10 * patient.timeout };

/** The cases that are not supported, each with its reason. */
const unsupported: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("unsupported.json", import.meta.url), "utf8"),
);

const archives = ["node", "pytorch-operator", "pytorch-converted", "simple"];
const verdicts = new Map<string, readonly Verdict[]>();

function verdictsOf(archive: string): readonly Verdict[] {
  const files = filesOf(`${folder}${archive}.tar.gz`);
  const found = verdicts.get(archive) ?? casesIn(files).map((each) => runCase(files, each));
  verdicts.set(archive, found);
  return found;
}

describe.skipIf(!isThere)("ONNX's own cases", () => {
  test.each(archives)("%s: all pass but those that are listed", patience, (archive) => {
    const found = verdictsOf(archive);
    const others = found.filter(({ reason }) => reason !== undefined);
    expect(others.filter(({ outcome }) => outcome === "wrong")).toEqual([]);
    expect(others.filter(({ name, reason }) => unsupported[name] !== reason)).toEqual([]);
    const passed = found.filter(({ reason }) => reason === undefined).map(({ name }) => name);
    expect(passed.filter((name) => Object.hasOwn(unsupported, name))).toEqual([]);
    console.info(`${archive}: passed ${passed.length} of ${found.length}`);
  });

  test("every row of the tables is used by a case that passes", patience, () => {
    const used = new Set(
      archives
        .flatMap(verdictsOf)
        .flatMap(({ reason, operators }) => (reason === undefined ? operators : [])),
    );
    const isUsed = ({ name, since, until }: (typeof operatorRows)[number]): boolean =>
      [...used].some((each) => {
        const [operator, opset] = [each.replace(/ .*/, ""), Number(each.replace(/.* /, ""))];
        return operator === name && opset >= since && opset < until;
      });
    const unused = operatorRows.filter((row) => !isUsed(row)).map(({ name, since }) => `${name} ${since}`);
    expect(unused.sort()).toEqual([...untried].sort());
  });

  test("whole nets give what their authors recorded", patience, () => {
    const files = filesOf(`${folder}light.tar.gz`);
    const small = netsIn(files).filter((path) => /squeezenet|zfnet|shufflenet/.test(path));
    expect(small.map((path) => [path, netDifference(files, path)])).toEqual(
      small.map((path) => [path, undefined]),
    );
  });
});

/** Rows that no case of ONNX tries. */
const untried: readonly string[] = [
  // onnx-rows.test.ts tries these: operators of old opsets and of the newest, and those that say why they are not supported.
  ...["And 1", "Cast 1", "Equal 1", "Greater 1", "Less 1", "Or 1", "Pow 1", "Softsign 1", "Swish 24"],
  ...["NonMaxSuppression 10", "NonZero 9", "Unique 11"],
  ...["GlobalLpPool 1", "GlobalMaxPool 1"],
  // onnx-runtime.test.ts tries these.
  ...[
    "FeatureVectorizer 1",
    "Imputer 1",
    "LabelEncoder 2",
    "LinearClassifier 1",
    "LinearRegressor 1",
    "Normalizer 1",
    "OneHotEncoder 1",
    "SVMClassifier 1",
    "SVMRegressor 1",
    "Scaler 1",
    "TreeEnsembleClassifier 1",
    "TreeEnsembleRegressor 1",
  ].map((each) => `ai.onnx.ml.${each}`),
  "com.microsoft.DynamicQuantizeLSTM 1",
  ...[
    ...["CDist", "NhwcMaxPool", "QLinearConv", "Trilu"],
    ...["Attention", "BiasGelu", "DequantizeLinear", "DynamicQuantizeMatMul", "EmbedLayerNormalization"],
    ...[
      "FastGelu",
      "FusedConv",
      "FusedGemm",
      "FusedMatMul",
      "GatherBlockQuantized",
      "Gelu",
      "MatMulIntegerToFloat",
    ],
    ...["MatMulNBits", "MultiHeadAttention", "QAttention", "QEmbedLayerNormalization", "QGemm", "QLinearAdd"],
    ...["QLinearAveragePool", "QLinearConcat", "QLinearGlobalAveragePool", "QLinearLeakyRelu", "QLinearMul"],
    ...["QLinearSigmoid", "QLinearSoftmax", "QLinearWhere", "QuantizeLinear", "QuickGelu", "RotaryEmbedding"],
    ...["SkipLayerNormalization", "SkipSimplifiedLayerNormalization"],
  ].map((each) => `com.microsoft.${each} 1`),
  "SimplifiedLayerNormalization 1",
  // These are made by the importer itself, of parts; onnx-runtime.test.ts tries them, too.
  ...["AttentionOf 1", "Gelu 1", "LayerNormalised 1"].map((each) => `sphex.${each}`),
];
