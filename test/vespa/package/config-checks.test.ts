import { expect, test } from "vitest";
import { packageMessages } from "../../../src/vespa/package/model/messages.js";
import { checkPackage } from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/**
 * What Vespa's configuration refuses or warns of when a package is deployed, check by check, by the classes of its model that
 * have them. This table writes `grammar/RANK-CHECKS.md`; each row that is done has a package of which Sphex says the same.
 */
interface Check {
  /** The class of the configuration model. */
  readonly from: string;
  readonly checks: string;
  /** The code of the problem, and profiles or one more setting of a field that have it, in a schema with a field of each kind. */
  readonly done?: readonly [code: string, profiles: string, field?: string];
  /** The code of a problem that needs files: the catalogue of problems has a package with them. */
  readonly catalogued?: string;
  readonly left?: string;
}

const first = (expression: string, more = ""): string =>
  `rank-profile p { ${more}\n first-phase { expression: ${expression} } }`;
const both = (settings: string, others = settings): string =>
  `rank-profile a { ${settings} }\nrank-profile b { ${others} }\nrank-profile c inherits a, b { }`;
const model = "onnx-model m { file: models/m.onnx";

// biome-ignore format: a table
const checks: readonly Check[] = [
  { from: "Application", checks: "a schema in a file of another name", catalogued: "schema/file-name" },
  { from: "Schema", checks: "a schema that inherits another one, and whose document does not", catalogued: "schema/document-inherits" },
  { from: "SchemaParser", checks: "ends of lines in the value of an input or a constant, but behind the colon or the comma of a cell", done: ["schema/line-break", "rank-profile p { inputs { query(a) tensor(k{}): {\n a:1, # one\n b:2} } }"] },
  { from: "SchemaParser", checks: "a comment or an empty line before the profile in a file of its own", catalogued: "schema/first-line" },
  { from: "ParsedRankProfile", checks: "an input twice", done: ["schema/duplicate", "rank-profile p { inputs { query(a) double\nquery(a) double } }"] },
  { from: "ParsedRankProfile", checks: "a constant twice", done: ["schema/duplicate", "rank-profile p { constants { k: 1\nk: 2 } }"] },
  { from: "ParsedRankProfile", checks: "a constant without a value", done: ["schema/no-value", "rank-profile p { constants { k tensor(x[2]) } }"] },
  { from: "ParsedRankProfile", checks: "the order of match-phase is ascending or descending", done: ["phase/order", "rank-profile p { match-phase { attribute: fast\norder: upwards\nmax-hits: 10 } }"] },
  { from: "DistributableResource", checks: "a constant of a schema without a file", done: ["schema/no-value", "constant k { type: tensor(x[2]) }\nrank-profile p { first-phase { expression: sum(constant(k)) } }"] },
  { from: "SchemaParser", checks: "a value that a setting has not", done: ["schema/setting", "rank-profile p { termwise-limit: 1 }"] },
  { from: "SchemaParser", checks: "a count of hits in a phase that has it not", done: ["phase/setting", "rank-profile p { first-phase { expression: 1 }\nsecond-phase { expression: 2\nkeep-rank-count: 5 } }"] },
  { from: "SchemaParser", checks: "a statement that there is not: a warning", done: ["schema/unread", "rank-profile p { colour: red }"] },
  { from: "SchemaParser", checks: "constants of a schema in a list, with a value or of numbers, and a constant of a profile alone", done: ["schema/constant", "constants { c: 3 }\nrank-profile p { }"] },
  { from: "AttributeProperties, Bolding, DictionaryProcessor, TensorFieldProcessor", checks: "a type and an indexing that do not fit the settings of a field", done: ["field/indexing", "field f type string { indexing: input title | index\nattribute: fast-search }\nrank-profile p { }"] },
  { from: "UnpackBits, Slice", checks: "parameters where no number can stand: unpack_bits, short slices, sizes, cell types, aggregators; and in lambdas", done: ["function/parameter", "rank-profile p { function f(x) { expression: unpack_bits(x) } }"] },
  { from: "ExpressionTransforms, the engines", checks: "a function or a constant with the name of a field in a feature: bm25(title) of a function title", done: ["feature/replaced-argument", "rank-profile p { function title() { expression: 10 * bm25(title) } }"] },
  { from: "the engines", checks: "a constant in a list of features, where nothing is put in for it", done: ["feature/listed", "rank-profile p { constants { c: 3 }\nfirst-phase { expression: c }\nmatch-features: c }"] },
  { from: "the engines", checks: "rankingExpression(f) of a function that reads its parameter", done: ["feature/parameter", "rank-profile p { function f(x) { expression: x }\nfirst-phase { expression: rankingExpression(f) } }"] },
  { from: "QueryProfileConfigurer", checks: "a value of a query profile that is no number as its type says", catalogued: "query/value" },
  { from: "SchemaParser", checks: "a number with an exponent in an input or a constant", done: ["schema/exponent", "rank-profile p { inputs { query(a) double: 1.5e3 } }"] },
  { from: "SchemaParser", checks: "an input of type int or bool, which is two inputs: a warning", done: ["schema/number-type", "rank-profile p { inputs { query(a) int: 4 } }"] },
  { from: "SchemaParser", checks: "two expressions in one phase or function", done: ["schema/expressions", "rank-profile p { first-phase { expression: 1\nexpression: 2 } }"] },
  { from: "SchemaParser", checks: "a function twice", done: ["schema/duplicate", "rank-profile p { function f() { expression: 1 }\nfunction f() { expression: 2 } }"] },
  { from: "ParsedRankProfile", checks: "a phase with two expressions", done: ["schema/duplicate", "rank-profile p { first-phase { expression: 1 }\nfirst-phase { expression: 2 } }"] },
  { from: "ParsedRankProfile", checks: "match-phase, diversity, strict and other settings twice", done: ["schema/duplicate", "rank-profile p { strict: true\nstrict: true }"] },
  { from: "ParsedRankProfile", checks: "filter-threshold from 0 to 1, of the profile and of fields", done: ["phase/range", "rank-profile p { filter-threshold: 1.5 }"] },
  { from: "ParsedRankProfile", checks: "stopword-limit and adjust-target from 0 to 1", done: ["phase/range", "rank-profile p { weakand { stopword-limit: 1.5 } }"] },
  { from: "ParsedRankProfile", checks: "the weight of a field behind its rank type", done: ["phase/weight", "rank-profile p { rank-type title: about\nweight title: 200 }"] },
  { from: "ParsedRankProfile", checks: "rank type or filter-threshold of one field twice", done: ["schema/duplicate", "rank-profile p { rank-type title: about\nrank-type title: tags }"] },
  { from: "ParsedRankProfile", checks: "a rerank count or a drop limit twice in a phase", done: ["schema/duplicate", "rank-profile p { second-phase { expression: 1\nrerank-count: 10\nrerank-count: 10 } }"] },
  { from: "RankProfile", checks: "inherits a profile that there is not", done: ["profile/unknown", "rank-profile p inherits q { }"] },
  { from: "RankProfile", checks: "inherits itself through others", done: ["profile/cycle", "rank-profile p inherits q { }\nrank-profile q inherits p { }"] },
  { from: "RankProfile", checks: "a function of several parents", done: ["profile/conflict", both("function f() { expression: 1 }")] },
  { from: "RankProfile", checks: "a function that two parents have of one profile", done: ["profile/conflict", "rank-profile o { function f() { expression: 1 } }\nrank-profile a inherits o { }\nrank-profile b inherits o { }\nrank-profile c inherits a, b { }"] },
  { from: "RankProfile", checks: "a constant of several parents, even where it is the same", done: ["profile/conflict", both("constants { k: 1 }")] },
  { from: "RankProfile", checks: "a model of several parents", done: ["profile/conflict", both(`${model} }`, "onnx-model m { file: models/n.onnx }")] },
  { from: "RankProfile", checks: "a constant of a schema of several parents, even of the same one", done: ["profile/conflict", `constant k { type: tensor(x[2])\nuri: http://example.com/k.json }\n${both("")}`] },
  { from: "RankProfile", checks: "a model of a schema of several parents, even of the same one", done: ["profile/conflict", `${model} }\n${both("")}`] },
  { from: "RankProfile", checks: "an input of several parents that differs", done: ["profile/conflict", both("inputs { query(a) double }", "inputs { query(a) tensor(x[2]) }")] },
  { from: "RankProfile", checks: "a phase of several parents", done: ["profile/conflict", both("second-phase { expression: 1 }")] },
  { from: "RankProfile", checks: "match-phase, strict or a limit of several parents that differ", done: ["profile/conflict", both("strict: true", "strict: false")] },
  { from: "RankProfile", checks: "a rank setting of one field in several parents, even where it is the same", done: ["profile/conflict", both("rank-type title: about")] },
  { from: "RankProfile", checks: "lists of features of several parents that differ", done: ["profile/conflict", both("match-features: now", "match-features: random")] },
  { from: "RankProfile", checks: "rank properties of several parents that differ", done: ["profile/conflict", both("rank-properties { a: 1 }", "rank-properties { a: 2 }")] },
  { from: "RankProfile", checks: "filters of several parents that differ", done: ["profile/conflict", both("rank title: filter", "rank body: filter")] },
  { from: "RankProfile", checks: "an element-gap of one field in several parents that differs", done: ["profile/conflict", both("rank title { element-gap: 1 }", "rank title { element-gap: 2 }")] },
  { from: "RankProfile", checks: "counts of phases of several parents that differ", done: ["profile/conflict", both("second-phase { rerank-count: 10 }", "second-phase { rerank-count: 20 }")] },
  { from: "RankProfile", checks: "summary-features or match-features that inherit those of no parent", done: ["profile/features", "rank-profile a { match-features: now }\nrank-profile p { match-features inherits a { now } }"] },
  { from: "RankProfile", checks: "a constant and a function of one name", done: ["profile/constant-function", "rank-profile p { constants { k: 1 }\nfunction k() { expression: 1 } }"] },
  { from: "RankProfile", checks: "an expression in a file of another folder", done: ["file/folder", first("file:expressions/e")] },
  { from: "RankProfile", checks: "an expression that cannot be parsed", done: ["syntax/unexpected", first("1 +")] },
  { from: "RankProfile", checks: "a normalizer of what is normalized", done: ["phase/normalizer", "rank-profile p { function n() { expression: reciprocal_rank(now) }\nglobal-phase { expression: normalize_linear(n) } }"] },
  { from: "RankProfile", checks: "a k of reciprocal_rank that is no constant", done: ["feature/argument", "rank-profile p { inputs { query(k) double }\nglobal-phase { expression: reciprocal_rank(now, query(k)) } }"] },
  { from: "RankProfileRegistry", checks: "two rank profiles of one name", done: ["schema/duplicate", "rank-profile p { }\nrank-profile p { }"] },
  { from: "RankProfileValidator", checks: "max-hits and total-max-hits of match-phase", done: ["phase/both", "rank-profile p { match-phase { attribute: fast\nmax-hits: 10\ntotal-max-hits: 100 } }"] },
  { from: "RankProfileValidator", checks: "rerank-count and total-rerank-count, keep-rank-count and total-keep-rank-count", done: ["phase/both", "rank-profile p { second-phase { expression: 1\nrerank-count: 10\ntotal-rerank-count: 20 } }"] },
  { from: "RankProfileValidator", checks: "the same, where one is inherited", done: ["phase/both", "rank-profile a { second-phase { rerank-count: 10 } }\nrank-profile p inherits a { second-phase { total-rerank-count: 20 } }"] },
  { from: "RankingExpressionTypeResolver", checks: "types of operands, arguments and results", done: ["type/unknown-dimension", first("sum(attribute(embedding), y)")] },
  { from: "RankingExpressionTypeResolver", checks: "a phase that is no number", done: ["phase/not-scalar", first("attribute(embedding)")] },
  { from: "RankingExpressionTypeResolver", checks: "an input that is not declared, of a strict profile", done: ["query/strict", first("query(a)", "strict: true")] },
  { from: "RankingExpressionTypeResolver", checks: "an input that is not declared: a warning", done: ["query/number", first("query(a)")] },
  { from: "MapEvaluationTypeContext", checks: "a tensor input that is not declared", done: ["query/undeclared", first("sum(query(a), x)")] },
  { from: "MapEvaluationTypeContext", checks: "functions that call each other without end", done: ["name/cycle", first("f", "function f() { expression: g }\nfunction g() { expression: f }")] },
  { from: "MapEvaluationTypeContext", checks: "a function with too few arguments", done: ["call/arity", first("f", "function f(a, b) { expression: a + b }")] },
  { from: "ConstantTensorTransformer", checks: "a constant that there is not", done: ["feature/unknown", first("constant(nothing)")] },
  { from: "TensorFieldProcessor", checks: "an attribute that there is not", done: ["feature/field", first("attribute(nothing)")] },
  { from: "OnnxModelTransformer", checks: "a model that there is not", done: ["feature/model", first("sum(onnx(nothing).out)", `${model} }`)] },
  { from: "OnnxModelTypeResolver", checks: "an input of a model that names no function or feature", done: ["model/input", first("sum(onnx(m).out)", `${model}\ninput a: nothing }`)] },
  { from: "OnnxModelTypeResolver", checks: "an input or output that the model has not", catalogued: "model/unknown-port" },
  { from: "OnnxModelTypeResolver", checks: "the file of a model that is not there, where others are: a warning", catalogued: "model/no-file" },
  { from: "OnnxModelTypeResolver", checks: "a model that cannot be read", catalogued: "model/unread" },
  { from: "OnnxModelTypeResolver", checks: "inputs that do not fit the types of the model", catalogued: "model/type" },
  { from: "MatchPhaseSettingsValidator", checks: "the attribute of match-phase: there, one number, fast-search", done: ["phase/attribute", "rank-profile p { match-phase { attribute: title\nmax-hits: 10 } }"] },
  { from: "MatchPhaseSettingsValidator", checks: "max-hits is there", done: ["phase/lacking", "rank-profile p { match-phase { attribute: fast } }"] },
  { from: "DiversitySettingsValidator", checks: "the attribute of diversity: there, of one value", done: ["phase/attribute", "rank-profile p { diversity { attribute: nothing\nmin-groups: 10 }\nsecond-phase { expression: 1 } }"] },
  { from: "DiversitySettingsValidator", checks: "the attribute and min-groups of diversity are there", done: ["phase/lacking", "rank-profile p { diversity { attribute: price }\nsecond-phase { expression: 1 } }"] },
  { from: "DiversitySettingsValidator", checks: "diversity without match-phase and second-phase", done: ["phase/diversity", "rank-profile p { diversity { attribute: price\nmin-groups: 10 } }"] },
  { from: "ValidateNoFieldRankFilterOverlap", checks: "a field with rank: filter and filter-threshold", done: ["phase/filter", "rank-profile p { rank title: filter\nrank title { filter-threshold: 0.5 } }"] },
  { from: "ConvertParsedRanking", checks: "an inner profile that does not inherit its outer one", done: ["profile/inner", "rank-profile a { rank-profile b { } }"] },
  { from: "ReservedFunctionNames", checks: "a function called as one of the language, or firstphase: a warning", done: ["profile/reserved", "rank-profile p { function log(x) { expression: x } }"] },
  { from: "ConstantDereferencer", checks: "a parameter with the name of a scalar constant, which is put in for it: silent in Vespa", done: ["profile/hidden-parameter", "rank-profile p { constants { w: 2 }\nfunction f(w) { expression: w } }"] },
  { from: "RankProfile", checks: "attribute(…) of several values, which is 0: a warning", done: ["feature/collection", first("attribute(names)")] },
  { from: "MutableAttributes", checks: "a field of the document that is mutable", done: ["field/mutable", "", "attribute: mutable"] },
  { from: "DocumentReferenceResolver", checks: "a reference to a document that there is not", catalogued: "field/type" },
  { from: "ComplexFieldsWithStructFieldAttributesValidator", checks: "an attribute of a member of one struct, or of one that is no plain value", done: ["field/member-attribute", "struct pair { field a type int { } }\nfield all type pair { struct-field a { indexing: attribute } }"] },
  { from: "Attribute", checks: "an attribute of a map or of structs", done: ["field/attribute", "field all type map<string, int> { indexing: attribute }"] },
  { from: "Attribute", checks: "fast-rank of what is no tensor with a mapped dimension", done: ["field/fast-rank", "field quick type int { indexing: attribute\nattribute: fast-rank }"] },
  { from: "QueryProfileFieldType", checks: "a type of query profiles that there is not", catalogued: "query/unknown-profile" },
  { from: "ImportedFieldsResolver", checks: "an imported field of no reference", done: ["field/reference", "import field price.name as name {}"] },
  { from: "ImportedFieldsResolver", checks: "an imported field of a field that there is not", done: ["feature/field", "import field nothing.name as name {}"] },
  { from: "ImportedFieldsResolver", checks: "an imported field that the parent has not", catalogued: "feature/field" },
  { from: "FieldSetSettings", checks: "a field set with a field that there is not", done: ["feature/field", "fieldset default { fields: title, nothing }"] },
  { from: "RankingConstantsValidator", checks: "the file of a constant: there, and of its type", done: ["file/unreadable", "constant k { file: constants/k.json\ntype: tensor(x[2]) }\nrank-profile p { first-phase { expression: sum(constant(k)) } }"] },
  { from: "ConstantTensorJsonValidator", checks: "the cells of a constant", done: ["schema/value", "rank-profile p { constants { k: many } }"] },
  { from: "QuantizedTensorValidator", checks: "how tensors are stored in fewer bits", done: ["field/quantization", "", "attribute { quantization { bits: 2 } }"] },
  { from: "DataTypeRepo", checks: "the type of a field is there", done: ["field/type", "field wrong type strin { indexing: attribute }"] },
  { from: "Attribute", checks: "the name of a distance metric", done: ["field/metric", "", "attribute { distance-metric: euclidian }"] },
  { from: "RankSetupValidator", checks: "what the content nodes refuse: names of features, their arguments and outputs", done: ["feature/arguments", first("bm25()")] },
  { from: "RankSetupValidator", checks: "an output that a feature has not", done: ["feature/output", first("bm25(title).many")] },
  { from: "RankSetupValidator", checks: "an argument of another kind", done: ["feature/argument", first("closeness(feild, embedding)")] },
  { from: "RankSetupValidator", checks: "a field that is no attribute", done: ["feature/not-attribute", first("attribute(title)")] },
  { from: "RankSetupValidator", checks: "a field that has no index, or not one value, or is more than an attribute", done: ["feature/field-kind", first("fieldMatch(price)")] },
  { from: "RankSetupValidator", checks: "a feature of each field that is a number of each", done: ["feature/foreach", first("foreach(attributes, N, attribute(N), true, sum)")] },
  { from: "RankSetupValidator", checks: "bm25 of a field without enable-bm25: a warning", done: ["feature/not-enabled", first("bm25(body)")] },
  { from: "RankSetupValidator", checks: "a feature in a phase that cannot have it", done: ["phase/feature", first("firstPhase")] },
  { from: "RankSetupValidator", checks: "boost tables and rank properties that cannot be read", done: ["feature/property", first("nativeFieldMatch", "rank-properties { nativeFieldMatch.firstOccurrenceTable: steep(1) }")] },
  { from: "QueryProfileRegistry", checks: "a query profile or a type that another one names is there", catalogued: "query/unknown-profile" },
  { from: "QueryProfileRegistry", checks: "query profiles that contain themselves", catalogued: "query/profile-cycle" },
  { from: "QueryProfileXMLReader", checks: "files of query profiles that cannot be read", catalogued: "query/profile" },
  { from: "SubstituteString", checks: "substitutions that are not closed", catalogued: "query/substitution" },
];

/** Classes that check what no rank profile depends on. */
// biome-ignore format: a list
const others = [
  "AccessControl…", "BoolAttributeValidator", "BuiltInFieldSets", "Cloud…Validator", "ComplexFieldsWithStructFieldIndexesValidator",
  "DisallowComplexMapAndWsetKeyTypes", "ExactMatch", "FastAccessValidator", "HnswValidator",
  "IndexFieldNames", "IndexingInputs", "IndexingOutputs", "IndexingValidation", "IndexingValues", "JvmHeapSizeValidator",
  "LinguisticsSettings", "LiteralBoost", "MakeAliases", "MatchConsistency", "MatchedElementsOnlyResolver", "MultifieldIndexHarmonizer",
  "NGramMatch", "NoPrefixForIndexes", "PagedAttributeValidator", "PredicateProcessor", "QuotaValidator", "RankTypeResolver", "ReferenceFieldsProcessor",
  "ReservedDocumentNames", "RoutingValidator", "SearchMustHaveDocument", "SingleValueOnlyAttributeValidator", "SortingSettings",
  "StreamingValidator", "StringSettingsOnNonStringFields", "Summary…Validator", "TextMatch", "TokensTransformValidator", "UriBindingsValidator",
  "UrlFieldValidator", "ValidateFieldTypes", "ValidateFieldWithIndexSettingsCreatesIndex", "ValidateStructTypeInheritance", "WordMatch",
  "…ChangeValidator",
];

const done = checks.flatMap(({ from, checks: what, done: found }) =>
  found === undefined
    ? []
    : [{ name: `${from}: ${what}`, code: found[0], profiles: found[1], field: found[2] }],
);

const schema = (profiles: string, own = ""): string => `schema doc {
  document doc {
    field title type string { indexing: index | summary
      index: enable-bm25 }
    field body type string { indexing: index }
    field price type double { indexing: attribute }
    field names type array<string> { indexing: attribute }
    field own type int { indexing: attribute
      ${own} }
    field fast type int { indexing: attribute
      attribute: fast-search }
    field embedding type tensor<float>(x[3]) { indexing: attribute }
  }
  ${profiles}
}
`;

test.each(done)("$name", ({ code, profiles, field }) => {
  const read = packageOf({ "schemas/doc.sd": schema(profiles, field) });
  const codes = [...read.problems, ...checkPackage(read).problems].map((each) => `${each.code}`);
  expect([...new Set(codes)]).toEqual([code]);
});

test("the table says of each check what became of it", async () => {
  const rows = checks.map(({ from, checks: what, done: found, catalogued, left }) => {
    const code = found?.[0] ?? catalogued;
    const status = code === undefined ? `left: ${left}` : `\`${code}\``;
    return `| ${what} | ${from} | ${status} |`;
  });
  const text = [
    "# Checks of rank profiles",
    "",
    "What Vespa refuses or warns of when a package is deployed, as far as rank profiles depend on it, with the class of its",
    "configuration model that has the check, and the code of the problem that `sphex check` reports. A test compares this table",
    "with the code.",
    "",
    "| check | in Vespa | here |",
    "| --- | --- | --- |",
    ...rows,
    "",
    "No rank profile depends on what these check:",
    `${others.join(", ")}.`,
    "",
  ];
  await expect(text.join("\n")).toMatchFileSnapshot("../../../grammar/RANK-CHECKS.md");
});

test("all problems of rank profiles are in the table", () => {
  const own = Object.keys(packageMessages).filter((each) =>
    /^(?:profile|phase|field|feature|model)\//.test(each),
  );
  // Limits are our own, and so is what is said of cells in fewer bits.
  const limits = ["profile/too-many", "field/quantized"];
  const codes = new Set([...done.map(({ code }) => code), ...checks.map(({ catalogued }) => catalogued)]);
  expect(own.filter((each) => !codes.has(each) && !limits.includes(each))).toEqual([]);
});
