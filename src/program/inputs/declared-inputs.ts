import type { InputValue, InputValues } from "./inputs.js";

/**
 * The inputs of a program as the compiler of a host's own code knows them: of a text that is written there, the names that
 * it declares. All of them are optional, since some have defaults. Where the names are not plain, anything goes.
 */
export type InputsOf<Text extends string> = string extends Text
  ? InputValues
  : Text extends `${string}input${"\t" | "\n" | "\r"}${string}`
    ? InputValues
    : NamedInputs<NamesIn<Text>>;

type NamedInputs<Name extends string> = string extends Name
  ? InputValues
  : [Name] extends [never]
    ? Readonly<Record<string, never>>
    : { readonly [Each in Name]?: InputValue };

/** `input q: tensor(x[3])` at the beginning of a statement declares `q`; `string` where it cannot be told. */
type NamesIn<
  Text extends string,
  Names extends string = never,
> = Text extends `${infer Before}input ${infer Name}:${infer Rest}`
  ? BeginsStatement<Before> extends false
    ? NamesIn<`${Name}:${Rest}`, Names>
    : Trimmed<Name> extends `${string}${NoWord}${string}`
      ? string
      : NamesIn<Rest, Names | Trimmed<Name>>
  : Text extends `${infer Before}input ${infer Rest}`
    ? BeginsStatement<Before> extends false
      ? NamesIn<Rest, Names>
      : string
    : Names;

type NoWord = " " | "(" | ")" | "=" | "\n" | ";" | "," | "." | "$" | "#" | "/" | '"' | "'" | "input ";

type BeginsStatement<Before extends string> = Before extends "" | `${string}${"\n" | ";"}`
  ? true
  : Before extends `${infer Rest} `
    ? BeginsStatement<Rest>
    : false;

type Trimmed<Name extends string> = Name extends ` ${infer Rest}`
  ? Trimmed<Rest>
  : Name extends `${infer Rest} `
    ? Trimmed<Rest>
    : Name;
