import { Code, type ValueType, valueTypes } from "./code.js";

export interface ModuleOptions {
  /** Whether the memory is shared with other threads; then its greatest size must be declared. */
  readonly shared: boolean;
  readonly maximumPages: number;
}

const encoder = new TextEncoder();

/** Writes a name as WebAssembly has them. */
function name(into: Code, text: string): Code {
  const bytes = encoder.encode(text);
  return into.unsigned(bytes.length).paste(bytes);
}

/**
 * The bytes of a module: functions on one memory, which is imported as `m.memory`. A
 * function is called by its index.
 */
export function moduleBytes(functions: readonly Code[], options: ModuleOptions): Uint8Array<ArrayBuffer> {
  const { shared, maximumPages } = options;
  const out = new Code("", []);
  for (const byte of [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]) out.byte(byte);
  const section = (id: number, write: (into: Code) => void): void => {
    const content = new Code("", []);
    write(content);
    const size = content.size;
    out.byte(id).unsigned(size).paste(content.cut(0));
  };
  const list = (into: Code, of: readonly ValueType[]): void => {
    into.unsigned(of.length);
    for (const type of of) into.byte(valueTypes[type]);
  };
  section(1, (into) => {
    into.unsigned(functions.length);
    for (const { parameters, results } of functions) {
      into.byte(0x60);
      list(into, parameters);
      list(into, results);
    }
  });
  section(2, (into) => {
    into.unsigned(1);
    name(name(into, "m"), "memory")
      .byte(2)
      .byte(shared ? 3 : 1)
      .unsigned(1)
      .unsigned(maximumPages);
  });
  section(3, (into) => {
    into.unsigned(functions.length);
    for (const at of functions.keys()) into.unsigned(at);
  });
  section(7, (into) => {
    const exported = functions.flatMap((each, at) => (each.isExported ? [{ name: each.name, at }] : []));
    into.unsigned(exported.length);
    for (const each of exported) name(into, each.name).byte(0).unsigned(each.at);
  });
  section(10, (into) => {
    into.unsigned(functions.length);
    for (const each of functions) {
      const body = each.body();
      into.unsigned(body.length).paste(body);
    }
  });
  // Names of functions, for profiles and stack traces.
  section(0, (into) => {
    const names = new Code("", []).unsigned(functions.length);
    for (const [at, each] of functions.entries()) name(names.unsigned(at), each.name);
    name(into, "name").byte(1).unsigned(names.size).paste(names.cut(0));
  });
  return out.cut(0) as Uint8Array<ArrayBuffer>; // made of an ArrayBuffer, as slice does
}
