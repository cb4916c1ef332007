import { canonicalName, type InputValue, type Program, type Tensor, type TensorType } from "../../index.js";
import { isEarlier } from "./last-result.js";

/** The value of an input, and its tensor where the input has no declared type. */
export interface Setting {
  readonly value: InputValue;
  readonly tensor?: Tensor;
  /** Of an earlier value: the name that the line which reads it has for it. */
  readonly enteredAs?: string;
}

/** The values of the inputs of a session, and of its results, by canonical name. */
export class SessionValues {
  private readonly settings = new Map<string, Setting>();

  copy(): SessionValues {
    const copy = new SessionValues();
    for (const [name, setting] of this.settings) copy.set(name, setting);
    return copy;
  }

  get(name: string): Setting | undefined {
    return this.settings.get(canonicalName(name));
  }

  /** Its tensor, where it has a type of its own. */
  tensor(name: string): Tensor | undefined {
    return this.get(name)?.tensor;
  }

  set(name: string, setting: Setting): void {
    this.settings.set(canonicalName(name), setting);
  }

  delete(name: string): void {
    this.settings.delete(canonicalName(name));
  }

  get names(): readonly string[] {
    return [...this.settings.keys()];
  }

  /** Their tensors, where they have a type of their own. */
  get tensors(): readonly (readonly [name: string, tensor: Tensor])[] {
    return [...this.settings].flatMap(([name, { tensor }]) =>
      tensor === undefined ? [] : [[name, tensor] as const],
    );
  }

  /** The types of those that no statement defines. */
  typesExcept(defined: { readonly has: (name: string) => boolean }): Readonly<Record<string, TensorType>> {
    const types = this.tensors.flatMap(([name, { type }]) => (defined.has(name) ? [] : [[name, type]]));
    return Object.fromEntries(types);
  }

  /** The values of the inputs of a program. */
  valuesFor({ inputs }: Program, without: readonly string[] = []): Record<string, InputValue> {
    const used = [...this.settings].filter(([name]) => inputs.has(name) && !without.includes(name));
    return Object.fromEntries(used.map(([name, { value }]) => [name, value]));
  }

  /** Forgets earlier results that no statement mentions any more. */
  prune(statements: readonly string[]): void {
    const text = statements.join("\n");
    for (const name of this.names) {
      if (isEarlier(name) && !new RegExp(`\\b${name}\\b`).test(text)) this.settings.delete(name);
    }
  }
}
