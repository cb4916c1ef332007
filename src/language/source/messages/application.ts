import { didYouMean, error, warning } from "./row.js";

/** What can be wrong with an application package: its files, its schemas, and what rank profiles inherit and mention. */
export const applicationMessages = {
  "package/empty": error(({ folder }: { folder: string }) => ({
    says: `there is no schema in ${folder}`,
    found: "no file that ends in .sd",
    wanted: "an application package: a folder that has a folder schemas",
  })),
  "package/outside": error(({ path }: { path: string }) => ({
    says: "a path must stay in the application package",
    found: `\`${path}\``,
    wanted: "a path from the root of the package, such as constants/weights.json",
  })),
  "schema/unclosed": error((_: object) => ({
    says: "this { is never closed",
    found: "the end of the file",
    wanted: "`}`",
  })),
  "schema/unopened": error((_: object) => ({
    says: "this } closes nothing",
    found: "`}`",
    wanted: "`{` before it",
  })),
  "schema/name": error(({ what, wanted }: { what: string; wanted: string }) => ({
    says: `this ${what} has no name that can be read`,
    found: what,
    wanted,
  })),
  "schema/none": error((_: object) => ({
    says: "this file has no schema",
    found: "no schema",
    wanted: "schema name { … }",
  })),
  "schema/duplicate": error(({ what, name }: { what: string; name: string }) => ({
    says: `there are two of the ${what} ${name}`,
    found: `\`${name}\` again`,
    wanted: "different names",
  })),
  "schema/keyword": warning(({ keyword, nearest }: { keyword: string; nearest: string }) => ({
    says: `a rank profile has nothing called ${keyword}`,
    found: `\`${keyword}\``,
    wanted: "what rank profiles have",
    hint: didYouMean(nearest),
  })),
  "schema/no-expression": error(({ what }: { what: string }) => ({
    says: `${what} has no expression`,
    found: "none",
    wanted: "expression: … or expression { … }",
  })),
  "schema/value": error(({ name, found, wanted }: { name: string; found: string; wanted: string }) => ({
    says: `this is no value for ${name}`,
    found,
    wanted,
  })),
  "schema/feature": error(({ found }: { found: string }) => ({
    says: "a list of features holds features only",
    found,
    wanted: "features with spaces between them: attribute(a) bm25(b) f",
    hint: "make a function of the expression, and list its name",
  })),
  "schema/unknown": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    says: `there is no schema ${name}`,
    found: `\`${name}\``,
    wanted: "a schema of the package",
    hint: didYouMean(nearest),
  })),
  "profile/unknown": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    says: `there is no rank profile ${name}`,
    found: `\`${name}\``,
    wanted: "a rank profile of the schema, or of one that it inherits",
    hint: didYouMean(nearest),
  })),
  "profile/cycle": error(({ what, path }: { what: string; path: string }) => ({
    says: `the ${what} inherits itself`,
    found: path,
    wanted: "an order without a circle",
  })),
  "profile/too-many": error(({ what, limit }: { what: string; limit: number }) => ({
    says: `the ${what} inherits more than ${limit} others`,
    found: `more than ${limit}`,
    wanted: `at most ${limit}`,
  })),
  "package/too-large": error(({ limit }: { limit: number }) => ({
    says: `the rank profiles define and inherit more than ${limit} functions, inputs and constants`,
    found: `more than ${limit}`,
    wanted: `at most ${limit}; what is left is not looked at`,
  })),
  "profile/conflict": error(({ what, profile }: { what: string; profile: string }) => ({
    says: `${profile} inherits ${what} twice, and not the same`,
    found: "two definitions",
    wanted: `one, or one of its own in ${profile}`,
  })),
  "phase/not-scalar": error(({ phase, type }: { phase: string; type: string }) => ({
    says: `the value of ${phase} must be a number`,
    found: type,
    wanted: "tensor()",
    hint: "sum(…) or max(…) makes a number of a tensor",
  })),
  "phase/feature": error(({ phase, feature, where }: { phase: string; feature: string; where: string }) => ({
    says: `there is no ${feature} in ${phase}`,
    found: `\`${feature}\``,
    wanted: `it is known ${where}`,
  })),
  "feature/unknown": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    says: `there is no function or rank feature called ${name}`,
    found: `\`${name}\``,
    wanted: "a function of the language or of the rank profile, a constant, or a rank feature",
    hint: didYouMean(nearest),
  })),
  "feature/output": error((values: { feature: string; output: string; nearest: string | undefined }) => ({
    says: `${values.feature} has no output ${values.output}`,
    found: `\`.${values.output}\``,
    wanted: `an output of ${values.feature}`,
    hint: didYouMean(values.nearest),
  })),
  "feature/arguments": error((values: { feature: string; found: number; wanted: string }) => ({
    says: `the rank feature ${values.feature} takes ${values.wanted}`,
    found: `${values.found}`,
    wanted: values.wanted,
  })),
  "feature/argument": error(({ wanted, found }: { wanted: string; found: string }) => ({
    says: `this argument must be ${wanted}`,
    found,
    wanted,
  })),
  "feature/field": error((values: { field: string; schema: string; nearest: string | undefined }) => ({
    says: `the schema ${values.schema} has no field ${values.field}`,
    found: `\`${values.field}\``,
    wanted: "a field of the schema, or one that it imports or inherits",
    hint: didYouMean(values.nearest),
  })),
  "feature/not-attribute": error(({ field }: { field: string }) => ({
    says: `the field ${field} is no attribute`,
    found: `\`${field}\` without attribute in its indexing`,
    wanted: "indexing: attribute",
  })),
  "feature/not-enabled": warning(({ field }: { field: string }) => ({
    says: `bm25 is not enabled for the field ${field}`,
    found: `\`${field}\` without enable-bm25`,
    wanted: "index: enable-bm25",
  })),
  "feature/model": error(({ model, nearest }: { model: string; nearest: string | undefined }) => ({
    says: `there is no model ${model}`,
    found: `\`${model}\``,
    wanted: "an onnx-model of the rank profile or the schema",
    hint: didYouMean(nearest),
  })),
  "query/undeclared": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    says: `${name} is not declared, and so is a number, which does not do here`,
    found: `\`${name}\``,
    wanted: "an input with a tensor type",
    hint: didYouMean(nearest) ?? `declare it: inputs { ${name} tensor<float>(…) }`,
  })),
  "query/number": warning(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    says: `${name} is not declared: Vespa takes it for a number`,
    found: `\`${name}\``,
    wanted: "an input of the rank profile",
    hint: didYouMean(nearest) ?? `declare it: inputs { ${name} double }`,
  })),
};
