import type { Node } from "../core/operations.js";
import { type Argument, type Definition, type Expression, isExpression } from "../syntax/tree.js";
import { bareWord } from "./names.js";
import type { Binding, Scope } from "./scope.js";

/** What the checker finds of an argument: where it is written, and its value. */
interface Elaboration {
  readonly written: (
    argument: Argument,
    scope: Scope,
  ) => { readonly argument: Argument; readonly scope: Scope };
  readonly value: (argument: Expression, scope: Scope) => Node | undefined;
}

/** The value of a call; nothing where it has mistakes, which were reported. */
interface ExpandedValue {
  readonly node: Node | undefined;
}

/**
 * The values of calls that were expanded already. Within a call of the program's own text, a function on the same arguments
 * is the same node: so functions that call others twice take the time of all different calls, and not of all calls.
 */
export class SharedExpansions {
  private readonly values = new Map<string, ExpandedValue>();
  private readonly identities = new WeakMap<object, number>();
  private count = 0;

  constructor(private readonly elaboration: Elaboration) {}

  /**
   * What the value of a call depends on, as a text: the function, where the call stands, and its arguments; nothing where an
   * argument has no value. The scope is that of the expansion, in which the arguments are bound.
   */
  keyOf(definition: Definition, args: readonly Argument[], scope: Scope, inner: Scope): string | undefined {
    const parts: (string | number)[] = [definition, inner.origin?.site.outermost, scope.frame].map((each) =>
      this.identityOf(each),
    );
    parts.push(scope.level);
    for (const argument of args) {
      const part = this.argumentKey(argument, scope, inner.bindingOf(argument));
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return parts.join(" ");
  }

  find(key: string | undefined): ExpandedValue | undefined {
    return key === undefined ? undefined : this.values.get(key);
  }

  /**
   * Remembers the value of a call, unless it draws random numbers, which differ from call to call, or depends on how an
   * argument is written, and not on its value alone.
   */
  add(key: string | undefined, node: Node | undefined, inner: Scope, hasDrawn: boolean): void {
    if (key !== undefined && !hasDrawn && !inner.hasArgumentAsText) this.values.set(key, { node });
  }

  private argumentKey(argument: Argument, scope: Scope, binding: Binding | undefined): string | undefined {
    const { argument: written, scope: from } = this.elaboration.written(argument, scope);
    const word = bareWord(written);
    if (word !== undefined) {
      const bound = from.find(word.text);
      const meaning = bound?.kind === "node" ? bound.node : (from.origin?.names ?? undefined);
      return `word ${word.text} ${this.identityOf(meaning)} ${this.identityOf(from.frame)}`;
    }
    // A parameter that is passed on, and what is no value, are the same where they are the same piece of text.
    if (!isExpression(written) || bareWord(argument) !== undefined)
      return `text ${this.identityOf(written)} ${this.identityOf(from)}`;
    if (binding?.kind !== "argument" || argument.kind !== written.kind) return undefined;
    binding.elaborated ??= { node: this.elaboration.value(written, scope) };
    return binding.elaborated.node && `node ${binding.elaborated.node.id}`;
  }

  private identityOf(each: object | undefined): number {
    if (each === undefined) return -1;
    const identity = this.identities.get(each) ?? this.count++;
    this.identities.set(each, identity);
    return identity;
  }
}
