import { readJson } from "../../formats/json/json.js";
import { readLiteral } from "../../formats/literal.js";
import {
  amount,
  call,
  checkCallOptions,
  type OptionRules,
  text,
  texts,
} from "../../language/source/option-rule.js";
import { isProblem, type Problem, SphexError } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { ModelReader } from "../../program/options.js";
import { defaultFileLimit, type Files, PackageFiles } from "./model/files.js";
import { problem } from "./model/messages.js";
import type { Package, Schema } from "./model/model.js";
import { Reading } from "./model/reading.js";
import { readEmbedders } from "./query-profiles/embedders.js";
import { readQueryProfiles } from "./query-profiles/query-profiles.js";
import { readSchema } from "./schemas/schemas.js";
import type { ParsedSchema } from "./syntax/parse.js";
import { SchemaFiles } from "./syntax/schema-files.js";

/** How an application package is read. */
export interface PackageOptions {
  /** How long a file may be, in characters; 10,000,000 unless given. */
  readonly fileLimit?: number;
  /** The only schema files to read; all in `schemas` and `searchdefinitions` unless given. */
  readonly schemas?: readonly string[];
  /** Reads the models of rank profiles: `models` of `sphex/models`. Their files are read with `readBytes`. */
  readonly models?: ModelReader;
  /** What comes before each path in messages, such as `my-application/`; nothing unless given. */
  readonly root?: string;
}

// biome-ignore format: a table
const packageRules: OptionRules<PackageOptions> = {
  fileLimit: amount,
  schemas:   texts,
  models:    call,
  root:      text,
};

/** The folders that schemas may be in; the second one is the older. */
const schemaFolders = ["schemas", "searchdefinitions"];

/** How many cells a constant may have. */
const cells = 50_000_000;

/**
 * Reads a package. What is wrong with its texts is in its `problems`, and what could be read is there all the same. Who reads it again
 * after a change hands in what was read before.
 */
export function readPackage(files: Files, options: PackageOptions = {}, before = new SchemaFiles()): Package {
  checkCallOptions("readPackage", options, packageRules);
  const own = new PackageFiles(files, options.fileLimit ?? defaultFileLimit, options.root ?? "");
  const reading = new Reading(own);
  const schemas = readSchemas(options.schemas, reading, before);
  const { profiles: queryProfiles, inputs } = readQueryProfiles(reading);
  return {
    ...{ schemas, inputs, queryProfiles },
    embedders: readEmbedders(reading),
    problems: reading.problems,
    modelIn: modelsOf(own, options.models),
    filesIn: (folder) => own.list(folder),
    load: (path, span) => own.load(path, span),
    tensor: tensorsOf(own),
  };
}

/** The schemas of a package by name, or those in the files that are named. */
function readSchemas(
  named: readonly string[] | undefined,
  reading: Reading,
  before: SchemaFiles,
): Map<string, Schema> {
  const paths = named ?? schemaPaths(reading.files);
  if (paths.length === 0) reportEmpty(reading);
  const schemas = new Map<string, Schema>();
  for (const path of paths) {
    const schema = schemaWithProfiles(path, reading, before);
    if (schema === undefined) continue;
    if (named === undefined) reportFileName(path, schema, reading);
    const first = schemas.get(schema.name.text);
    if (first === undefined) schemas.set(schema.name.text, schema);
    else reportSecond(schema, first, reading);
  }
  return schemas;
}

function schemaPaths(files: PackageFiles): readonly string[] {
  const all = new Set(schemaFolders.flatMap((folder) => files.list(folder)));
  return [...all].filter((path) => path.endsWith(".sd"));
}

/** A schema with the rank profiles in files of their own; nothing where its file cannot be read. */
function schemaWithProfiles(path: string, reading: Reading, before: SchemaFiles): Schema | undefined {
  const file = schemaIn(path, reading, before);
  if (file === undefined) return undefined;
  const beside = profileFolders(path).flatMap((folder) =>
    reading.files.list(folder).filter((each) => each.endsWith(".profile")),
  );
  const profiles = beside.flatMap((each) => schemaIn(each, reading, before) ?? []);
  for (const { source } of profiles) reportFirstLine(source, reading);
  return readSchema(file, profiles, reading);
}

function reportEmpty({ files, report }: Reading): void {
  const span = nowhere(files.nameOf("").replace(/\/$/, "") || "package");
  report(problem("package/empty", span, { folders: schemaFolders }));
}

function reportSecond({ name }: Schema, first: Schema, { report }: Reading): void {
  const related = [{ span: first.name.span, label: "the first" }];
  report(problem("schema/duplicate", name.span, { what: "schema", name: name.text }, related));
}

/** The tensors in the files of a package, each read once for a type. */
function tensorsOf(files: PackageFiles): Package["tensor"] {
  const tensors = new Map<string, Tensor | readonly Problem[]>();
  return (path, type, span) => {
    const key = `${type} ${path}`;
    const loaded = tensors.get(key) ?? tensorIn(files.load(path, span), path, type, span);
    tensors.set(key, loaded);
    return loaded;
  };
}

/** The folders of the profiles of a schema: one of its name beside it, and one below the folder of all schemas. */
function profileFolders(path: string): readonly string[] {
  const beside = path.replace(/\.sd$/, "");
  const [first = ""] = path.split("/");
  const below = path.includes("/") ? `${first}/${beside.replace(/^.*\//, "")}` : beside;
  return [...new Set([beside, below])];
}

function reportFileName(path: string, { name }: Schema, { report }: Reading): void {
  const file = path.replace(/^.*\//, "");
  if (name.text === "" || file === `${name.text}.sd`) return;
  report(problem("schema/file-name", name.span, { schema: name.text }));
}

/** Where the first line of a file of a rank profile has a comment or nothing, Vespa does not read it. */
function reportFirstLine(source: Source, { report }: Reading): void {
  const [line, space = ""] = /^([ \t]*)(?:#[^\r\n]*)?(?=[\r\n])/.exec(source.text) ?? [];
  if (line === undefined) return;
  report(problem("schema/first-line", { source, start: space.length, end: line.length }, {}));
}

function schemaIn(path: string, reading: Reading, before: SchemaFiles): ParsedSchema | undefined {
  const source = reading.files.load(path, nowhere(reading.files.nameOf(path)));
  if (!isProblem(source)) return before.parse(source);
  reading.problems.push(source);
  return undefined;
}

const nowhere = (name: string): Span => ({ source: { name, text: "" }, start: 0, end: 0 });

/** The models in the files of a package, each read once. */
function modelsOf(files: PackageFiles, models: ModelReader | undefined): Package["modelIn"] {
  const found = new Map<string, ReturnType<Package["modelIn"]>>();
  return (path) => {
    if (models === undefined || found.has(path)) return found.get(path);
    const model = modelFrom(files, path, models);
    found.set(path, model);
    return model;
  };
}

function modelFrom(files: PackageFiles, path: string, models: ModelReader): ReturnType<Package["modelIn"]> {
  const bytes = files.bytes(path);
  if (bytes === undefined) return undefined;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const readExternal = (file: string): Uint8Array => {
    const beside = files.bytes(folder + file);
    if (beside === undefined) throw new Error("it is not in the package");
    return beside;
  };
  try {
    return models({ name: files.nameOf(path), bytes, readExternal });
  } catch (error) {
    if (error instanceof SphexError) return error.problems;
    throw error;
  }
}

/** The tensor in a file: JSON, or the literal form. */
function tensorIn(
  source: Source | Problem,
  path: string,
  type: TensorType,
  span: Span,
): Tensor | readonly Problem[] {
  if (isProblem(source)) return [source];
  if (/\.(?:lz4|tbf|gz|zst)$/.test(path))
    return [problem("file/unreadable", span, { path, reason: "compressed" })];
  const isLiteral = source.text.trimStart().startsWith("tensor");
  const read = isLiteral ? readLiteral(source, { type, empty: 0, cells }) : readJson(source, type, { cells });
  return read.tree !== undefined && read.problems.length === 0 ? read.tree : read.problems;
}
