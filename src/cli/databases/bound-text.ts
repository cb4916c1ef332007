import { dirname, isAbsolute, resolve } from "node:path";
import { type ExternalEngine, type InputValue, TensorType } from "../../index.js";
import { type Binding, type Bindings, isTable, parseTable, readBindings } from "../../sql.js";
import { sourceAt } from "../files/sources.js";
import type { CommonFlags } from "../options/options.js";
import { compileText, type SourceText } from "../program/source-text.js";
import { UsageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** A program on an engine, its inputs bound by the options of a command line. */

export interface BindingFlags extends CommonFlags {
  readonly table?: readonly string[];
  readonly bindings?: string;
  readonly partition?: readonly string[];
  readonly replicated?: readonly string[];
}

/** The bindings of `--bindings`, and over them those of `--table`; paths of files are relative to where they are named. */
async function bindingsOf(flags: BindingFlags, io: Io): Promise<Bindings> {
  const { table = [], bindings } = flags;
  const fromFile = bindings === undefined ? {} : await bindingsIn(bindings, io);
  const fromFlags = table
    .map(parseTable)
    .map(([name, each]): [string, Binding] => [name, located(each, io.cwd)]);
  return spread({ ...fromFile, ...Object.fromEntries(fromFlags) }, flags);
}

/** Bindings with what the flags say of how their rows are spread over shards. */
function spread(bindings: Bindings, { partition = [], replicated = [] }: BindingFlags): Bindings {
  const dimensions = new Map(
    partition.map((each): [string, string] => {
      const at = each.lastIndexOf("=");
      if (at <= 0)
        throw new UsageError(`--partition ${each} lacks a dimension: write --partition name=dimension`);
      return [each.slice(0, at).trim(), each.slice(at + 1).trim()];
    }),
  );
  for (const name of [...dimensions.keys(), ...replicated])
    if (!Object.hasOwn(bindings, name))
      throw new UsageError(`nothing is bound to ${name}, so it is not spread either`);
  const entries = Object.entries(bindings).map(([name, each]): [string, Binding] => {
    const dimension = dimensions.get(name);
    if (!isTable(each)) return [name, each];
    if (dimension !== undefined) return [name, { ...each, partition: dimension }];
    return [name, replicated.includes(name) ? { ...each, isReplicated: true } : each];
  });
  return Object.fromEntries(entries);
}

async function bindingsIn(path: string, io: Io): Promise<Bindings> {
  const folder = dirname(resolve(io.cwd, path));
  const bindings = await readBindings(await sourceAt(path, io));
  return Object.fromEntries(Object.entries(bindings).map(([name, each]) => [name, located(each, folder)]));
}

/** A file of a binding as it is found from anywhere; what lies elsewhere than on this machine has a URL. */
function located(binding: Binding, folder: string): Binding {
  if (!isTable(binding) || !("file" in binding.source)) return binding;
  const { file } = binding.source;
  const isThere = isAbsolute(file) || file.includes("://");
  return isThere ? binding : { ...binding, source: { file: resolve(folder, file) } };
}

/**
 * A program with its inputs bound. An input that it does not declare has a mapped dimension for each column of its table; one
 * that nothing is bound to is a table of its own name, where `isSelfNamed` asks for it.
 */
export async function boundText<Bound>(
  source: SourceText,
  flags: BindingFlags,
  engine: ExternalEngine<Bindings, Bound>,
  io: Io,
  { isSelfNamed = false }: { readonly isSelfNamed?: boolean } = {},
): Promise<{ readonly bound: Bound; readonly results: number }> {
  const bindings = await bindingsOf(flags, io);
  const undeclared = Object.entries(bindings).flatMap(([name, each]): [string, TensorType][] =>
    isTable(each)
      ? [
          [
            name,
            TensorType.of(
              "double",
              Object.keys(each.dimensions).map((dimension) => ({ name: dimension, kind: "mapped" })),
            ),
          ],
        ]
      : [],
  );
  const { program, values } = await compileText(source, flags, io, Object.fromEntries(undeclared));
  const tensors = Object.entries(values).map(([name, tensor]: [string, InputValue]): [string, Binding] => [
    name,
    { tensor },
  ]);
  const all: Bindings = { ...bindings, ...Object.fromEntries(tensors) };
  const selfNamed = isSelfNamed ? selfNamedTables(program.inputs, all) : {};
  return { bound: program.on(engine, { ...selfNamed, ...all }), results: program.results.length };
}

function selfNamedTables(inputs: ReadonlyMap<string, TensorType>, bindings: Bindings): Bindings {
  const entries = [...inputs].flatMap(([name, type]): [string, Binding][] => {
    if (Object.hasOwn(bindings, name)) return [];
    const dimensions = Object.fromEntries(type.names.map((each) => [each, each]));
    return [[name, { source: { table: name }, dimensions }]];
  });
  return Object.fromEntries(entries);
}
