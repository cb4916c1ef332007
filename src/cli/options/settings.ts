import {
  canonicalName,
  evaluate,
  type InputValue,
  type InputValues,
  type JsonValue,
  type Options,
  parseJson,
  parseProgram,
  parseType,
  readNpz,
  readTensor,
  type Source,
  SphexError,
  type Tensor,
  type TensorType,
  tensorFormatOf,
} from "../../index.js";
import { bytesAt, sourceAt } from "../files/sources.js";
import { UsageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { mentionedNames, type TextKind } from "./mentioned-names.js";
import type { CommonFlags } from "./options.js";
import { repeatedName } from "./repeated-name.js";

/** A text that settings are for. */
interface ProgramText {
  readonly kind: TextKind;
  readonly text: string;
}

/**
 * The tensors that the command line gives to a program: those of `--inputs`, and over them those of `--set`. Files without a type of
 * their own are read as what the program declares.
 */
export async function settingsOf(
  { set = [], inputs }: CommonFlags,
  io: Io,
  program?: ProgramText,
): Promise<InputValues> {
  const entries = inputs === undefined ? [] : await fileEntries(inputs, io);
  const typeOf = declaredTypes(program);
  for (const each of set) entries.push(await setEntry(each, io, typeOf));
  return Object.fromEntries(new Map(entries.map(([name, value]) => [canonicalName(name), value])));
}

async function setEntry(text: string, io: Io, typeOf: DeclaredTypes): Promise<[string, InputValue]> {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0)).trim();
  if (name === "") throw new UsageError(`--set ${text} lacks a name and =: write --set name=literal`);
  const value = text.slice(at + 1).trim();
  if (!value.startsWith("@")) return [name, text.slice(at + 1)];
  return [name, await fileValue(value.slice(1), name, io, () => typeOf(name))];
}

/**
 * The settings of `--set` for one expression of several: those that it mentions, and those that none mentions, which are
 * mistakes to be reported.
 */
export function settingsFor(
  text: string,
  all: readonly string[],
  set: readonly string[] = [],
): readonly string[] {
  return set.filter((each) => {
    const name = nameSet(each);
    const isIn = (one: string): boolean => mentionedNames(one, "expression").has(name);
    return isIn(text) || !all.some(isIn);
  });
}

/** The canonical name of what a setting sets. */
export const nameSet = (setting: string): string =>
  canonicalName(setting.slice(0, Math.max(setting.indexOf("="), 0)).trim());

/** What stdin holds, and what for. */
const readFromStdin = new WeakMap<Io["stdin"], { readonly use: string; readonly source: Promise<Source> }>();

/** The text of a file of settings, or of stdin, which several expressions and runs share. */
async function settingSource(path: string, use: string, io: Io): Promise<Source> {
  const shared = path === "-" ? readFromStdin.get(io.stdin) : undefined;
  if (shared?.use === use) return await shared.source;
  const source = sourceAt(path, io);
  if (path === "-" && shared === undefined) readFromStdin.set(io.stdin, { use, source });
  return await source;
}

/** Whether settings are in stdin. */
export const readsStdin = (flags: CommonFlags): boolean => namedFiles(flags).includes("-");

/** The files that settings are in, as they are named, without stdin. */
export const settingFiles = (flags: CommonFlags): readonly string[] =>
  namedFiles(flags).filter((path) => path !== "-");

function namedFiles({ set = [], inputs }: CommonFlags): readonly string[] {
  const named = set.flatMap((each) => /^[^=]*=\s*@(.*)$/s.exec(each)?.[1]?.trim() ?? []);
  return inputs === undefined ? named : [inputs, ...named];
}

/** A tensor in a file: CSV or bytes where its name says so, JSON where it is that, otherwise the literal form. */
async function fileValue(
  path: string,
  name: string,
  io: Io,
  declared: () => string | undefined,
): Promise<InputValue> {
  const isArchive = path.toLowerCase().endsWith(".npz");
  const format = isArchive ? "npz" : tensorFormatOf(path);
  if (format === "npz" || format === "npy") {
    const type = declared();
    if (type === undefined) throw hasNoDimensions(path, name);
    const bytes = await bytesAt(path, io);
    if (format === "npz") return await archiveValue(bytes, path, name, type);
    return readTensor(bytes, format, { name: path, type });
  }
  if (format === "csv" || format === "binary") {
    const type = declared();
    const options = type === undefined ? { name: path } : { name: path, type };
    return readTensor(await bytesAt(path, io), format, options);
  }
  const source = await settingSource(path, `--set ${name}`, io);
  const { tree } = parseJson(source);
  if (tree === undefined) return source.text.trim();
  if (tree.kind === "null") throw new UsageError(`${source.name} is null, which is no value`);
  return inputOf(tree, source.name);
}

/** The array of an archive that is called as the input is, or the only one; for a type with labels all of them. */
async function archiveValue(bytes: Uint8Array, path: string, name: string, type: string): Promise<Tensor> {
  const options = { name: path, type };
  if (!parseType(type).isDense) return await readNpz(bytes, options);
  const found = (await arrayIn(bytes, { ...options, array: name })) ?? (await arrayIn(bytes, options));
  if (found !== undefined) return found;
  throw new UsageError(
    `${path} has neither a single array nor one called ${name}: make another file of one with sphex convert --array`,
  );
}

/** An array of an archive; undefined where the archive has none of its name, or, without a name, not exactly one. */
export async function arrayIn(
  bytes: Uint8Array,
  options: Parameters<typeof readNpz>[1],
): Promise<Tensor | undefined> {
  try {
    return await readNpz(bytes, options);
  } catch (error) {
    const isMissing =
      error instanceof SphexError && error.problems.every(({ code }) => code === "bytes/array");
    if (isMissing) return undefined;
    throw error;
  }
}

const hasNoDimensions = (path: string, name: string): UsageError =>
  new UsageError(
    `${path} does not name its dimensions: declare them in a program, input ${name}: tensor(…), or make another file with sphex convert --type`,
  );

async function fileEntries(file: string, io: Io): Promise<[string, InputValue][]> {
  const source = await settingSource(file, "--inputs", io);
  const path = source.name;
  const { tree, problems } = parseJson(source);
  const [fault] = problems;
  if (fault !== undefined) {
    const { line, column } = fault.position;
    throw new UsageError(`cannot read ${path}: ${fault.message} (line ${line}, column ${column})`);
  }
  if (tree?.kind !== "object") throw new UsageError(`${path} must hold an object of names and values`);
  const repeated = repeatedName(tree, canonicalName);
  if (repeated !== undefined) throw new UsageError(`${path}: ${repeated} is there twice`);
  return Array.from(tree.items(), (value) => {
    const name = `${value.key}`;
    if (value.kind === "null") throw new UsageError(`${path}: ${name} is null, which is no value`);
    return [name, inputOf(value, `${path} ${value.path}`)];
  });
}

/**
 * A value of JSON. What says its type is a tensor; of other arrays and objects the declared type tells which of JSON's forms
 * they have, so that they are left as they are written. The library refuses what does not fit.
 */
function inputOf(value: JsonValue, name: string): InputValue {
  const { kind, written } = value;
  if (isTyped(value)) return readTensor(written, "json", { name });
  const isTextAsData = value.member("string")?.string !== undefined;
  const isStructured = (kind === "array" || kind === "object") && !isTextAsData;
  return isStructured ? written : (value.value as InputValue); // JSON has no other values than these
}

const isTyped = (value: JsonValue): boolean =>
  value.member("type")?.string !== undefined &&
  ["cells", "values", "blocks"].some((form) => value.member(form) !== undefined);

/** A program's inputs as the library takes them: the types of those that its text does not declare, and all values. */
export interface HostInputs {
  readonly types: Readonly<Record<string, TensorType>>;
  readonly values: InputValues;
}

/**
 * An input that the text mentions without defining it gets the type of its value. One that is not mentioned is left
 * undeclared, and so is refused when the program runs: it is a slip.
 */
export function hostInputs(
  text: string,
  kind: TextKind,
  settings: InputValues,
  options: Options,
): HostInputs {
  const isUndeclared = undeclaredIn(text, kind, Object.keys(settings));
  const undeclared = Object.entries(settings).filter(([name]) => isUndeclared(name));
  const tensors = undeclared.map(
    ([name, value]) => [name, evaluate(name, { [name]: value }, options)] as const,
  );
  const types = tensors.map(([name, tensor]): [string, TensorType] => [name, tensor.type]);
  return { types: Object.fromEntries(types), values: { ...settings, ...Object.fromEntries(tensors) } };
}

/** The types of inputs that a text mentions and does not declare itself; what is bound to another is a slip. */
export function undeclaredTypes(
  text: string,
  kind: TextKind,
  types: Readonly<Record<string, TensorType>>,
): Readonly<Record<string, TensorType>> {
  const isUndeclared = undeclaredIn(text, kind, Object.keys(types));
  return Object.fromEntries(Object.entries(types).filter(([name]) => isUndeclared(canonicalName(name))));
}

/** Whether a text mentions a name without defining it. It is parsed only where there are such `names` to ask about. */
function undeclaredIn(text: string, kind: TextKind, names: readonly string[]): (name: string) => boolean {
  const defined = kind === "program" && names.length > 0 ? definedNames(text) : new Set<string>();
  return (name) => !defined.has(name) && mentionedNames(text, kind).has(name);
}

/** The type that a program declares an input with, by its name; nothing where it declares none. */
type DeclaredTypes = (name: string) => string | undefined;

/**
 * The types that a program declares its inputs with, in the order in which they are written: it is that of the axes of arrays. The
 * program is parsed when the first is asked for.
 */
export function declaredTypes(program: ProgramText | undefined): DeclaredTypes {
  let types: ReadonlyMap<string, string> | undefined;
  return (name) => {
    types ??= program?.kind === "program" ? writtenTypes(program.text) : new Map();
    const type = types.get(canonicalName(name));
    return type !== undefined && isType(type) ? type : undefined;
  };
}

/** The types of declarations by their names, with their sizes as numbers; of a name that is declared twice, the first. */
function writtenTypes(text: string): ReadonlyMap<string, string> {
  const statements = parseProgram({ name: "program", text }).tree?.statements ?? [];
  const sizes = namedNumbers(statements);
  const types = new Map<string, string>();
  for (const each of statements) {
    if (each.kind !== "declaration" || each.type === undefined) continue;
    const { start, end } = each.name.span;
    const name = canonicalName(text.slice(start, end));
    if (!types.has(name)) types.set(name, typeText(each.type, sizes));
  }
  return types;
}

type Statements = NonNullable<ReturnType<typeof parseProgram>["tree"]>["statements"];
type WrittenType = NonNullable<Extract<Statements[number], { kind: "declaration" }>["type"]>;

/** The names that may be sizes: those of whole numbers, and other names of these. */
function namedNumbers(statements: Statements): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  const others = new Map<string, string>();
  for (const each of statements) {
    const named = namedValue(each);
    if (named?.value.kind === "number") numbers.set(named.name, `${named.value.value}`);
    if (named?.value.kind === "reference") others.set(named.name, named.value.name.text);
  }
  for (let before = -1; before < numbers.size; ) {
    before = numbers.size;
    for (const [name, meant] of others) {
      const number = numbers.get(meant);
      if (number !== undefined) numbers.set(name, number);
    }
  }
  return numbers;
}

function namedValue(each: Statements[number]) {
  if (each.kind === "definition")
    return each.parameters === undefined ? { name: each.name.text, value: each.body } : undefined;
  const isConstant = each.kind === "declaration" && each.role === "constant" && each.value !== undefined;
  return isConstant ? { name: each.name.name.text, value: each.value } : undefined;
}

/** A type with its dimensions in the order in which they are written. */
function typeText({ cellType, dimensions }: WrittenType, sizes: ReadonlyMap<string, string>): string {
  const texts = dimensions.map(({ name, kind, size }) => {
    if (kind === "mapped") return `${name.text}{}`;
    return `${name.text}[${size === undefined ? "" : (sizes.get(size.text) ?? size.text)}]`;
  });
  return `tensor${cellType === undefined ? "" : `<${cellType.text}>`}(${texts.join(",")})`;
}

function isType(text: string): boolean {
  try {
    parseType(text);
    return true;
  } catch (error) {
    if (error instanceof SphexError) return false;
    throw error;
  }
}

/** The names that the statements of a program define, as far as they can be read. */
function definedNames(text: string): Set<string> {
  const statements = parseProgram({ name: "program", text }).tree?.statements ?? [];
  const names = statements.flatMap((each) => {
    if (each.kind !== "declaration" && each.kind !== "definition") return [];
    const { start, end } = each.name.span;
    return [canonicalName(text.slice(start, end))];
  });
  return new Set(names);
}
