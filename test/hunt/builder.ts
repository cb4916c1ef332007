import { type Dimension, TensorType } from "../../src/language/types/type.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import type { Choice } from "./choice.js";
import { cellsOf, Dimensions } from "./dimensions.js";
import { assembled, type Expression } from "./expression.js";
import {
  type Layout,
  layoutOf,
  type NumberStyle,
  numberOf,
  numberStyles,
  numberText,
  tensorOf,
} from "./values.js";

/** A name that stands for a value. */
export interface Variable {
  readonly name: string;
  readonly type: TensorType;
}

/** What an expression may refer to. */
export interface Scope {
  /** Parameters and indexes. */
  readonly variables: readonly Variable[];
  /** Whether inputs and named values can be seen: everywhere but in lambdas and functions. */
  readonly isOpen: boolean;
}

/** What an expression is to be. */
export interface Goal {
  readonly type: TensorType;
  readonly scope: Scope;
  /** How deep it may be. */
  readonly depth: number;
  /** How many cells it may have, and those of its parts. */
  readonly budget: number;
}

export interface Input extends Variable {
  /** What it is in the first run, in one of another layout, and in one of the same layout. */
  readonly values: readonly [Tensor, Tensor, Tensor];
}

/** A function of the host, from tensors of these types to one of them, or to the number of all their cells. */
export interface HostFunction extends Variable {
  readonly parameters: readonly TensorType[];
  /** Which argument is returned; nothing for the number of cells. */
  readonly returned?: number;
  readonly isPure: boolean;
}

/** What a named value may be: an input has it where a run gives none, the others keep it. */
export type Role = "input" | "constant" | "variable" | "persistent";

/** A function with its parameters, or a named value without any. */
export interface Definition {
  readonly role?: Role;
  readonly name: string;
  readonly parameters: readonly Variable[];
  /** Parameters that stand for a lambda: every call passes one of its own. */
  readonly lambdas: readonly LambdaParameter[];
  /** Parameters that stand for a dimension, a size, a cell type or an aggregator, with what every call passes. */
  readonly typeParameters: readonly TypeParameter[];
  readonly body: Expression;
  /** What a session gives it instead of the value of its body. */
  readonly assigned?: Tensor;
}

export interface TypeParameter {
  readonly name: string;
  readonly argument: string;
}

export interface LambdaParameter {
  readonly name: string;
  /** Of how many scalars it is. */
  readonly arity: number;
}

/** What is passed to a value, which is no function. */
export const nothingPassed = { lambdas: [], typeParameters: [] } as const;

/** A way to make an expression of a type. */
export interface Form {
  readonly name: string;
  readonly weight: number;
  /** How often in a program of large tensors, where it is not as often. */
  readonly whenLarge?: number;
  /** Whether an expression of this form can be of the type. */
  readonly fits: (goal: Goal, builder: Builder) => boolean;
  /** Makes one; nothing where it cannot be done after all. */
  readonly make: (goal: Goal, builder: Builder) => Expression | undefined;
}

const mostInputs = 5;
/** How many cells a sparse or mixed input of a large program may have. */
const mostSparseCells = 3000;
const mostDefinitions = [2, 3, 3, 6];
/** How many forms a program has at most: most are small, for many are wanted. */
const mostForms = [4, 6, 8, 10, 12, 16, 20, 30, 60];

/** Makes expressions of types, and the inputs and definitions that they refer to. */
export class Builder {
  readonly inputs: Input[] = [];
  readonly definitions: Definition[] = [];
  readonly hosts: HostFunction[] = [];
  readonly dimensions: Dimensions;
  readonly style: NumberStyle;
  /** Expressions that may be written again: they refer to nothing but inputs and named values. */
  private readonly closed: Expression[] = [];
  private count = 0;
  private mostDefinitions: number;
  /** How many expressions more there may be that are no leaves. */
  private left: number;

  constructor(
    readonly choice: Choice,
    private readonly isLarge: boolean,
    private readonly forms: readonly Form[],
  ) {
    this.dimensions = new Dimensions(choice, isLarge);
    this.left = choice.oneOf(mostForms);
    this.mostDefinitions = choice.oneOf(mostDefinitions);
    const styles = Object.keys(numberStyles) as NumberStyle[]; // the names of the table
    this.style = choice.weighted(styles, (style) => numberStyles[style]);
  }

  /** An expression of the type. */
  expression(goal: Goal): Expression {
    if (this.left <= 0 || goal.depth <= 0 || cellsOf(goal.type) > goal.budget) return this.leaf(goal);
    this.left--;
    const { choice } = this;
    if (choice.percent(8)) {
      const again = this.closed.filter(({ type }) => goal.scope.isOpen && type.equals(goal.type));
      if (again.length > 0) return choice.oneOf(again);
    }
    for (let attempt = 0; attempt < 20; attempt++) {
      const form = choice.weighted(this.forms, this.weight);
      const made = form.fits(goal, this) ? form.make(goal, this) : undefined;
      if (made === undefined) continue;
      if (goal.scope.isOpen && goal.scope.variables.length === 0) this.closed.push(made);
      return made;
    }
    return this.leaf(goal);
  }

  /** One more function or named value of the program, however many there are. */
  statement(goal: Goal): void {
    this.mostDefinitions++;
    this.left += 3;
    const named = this.forms.filter(({ name }) => name === "call" || name === "named value");
    const form = this.choice.oneOf(named);
    if (form.fits(goal, this)) form.make(goal, this);
  }

  private readonly weight = ({ weight, whenLarge = weight }: Form): number =>
    this.isLarge ? whenLarge : weight;

  /** A part of an expression of another type. */
  part(goal: Goal, type: TensorType, scope = goal.scope, budget = goal.budget): Expression {
    return this.expression({ type, scope, depth: goal.depth - 1, budget });
  }

  scalar(goal: Goal, scope = goal.scope, budget = goal.budget): Expression {
    return this.part(goal, TensorType.scalar, scope, budget);
  }

  /** A number as it is written. */
  number(value = numberOf(this.style, this.choice)): Expression {
    return assembled("number", TensorType.scalar, [numberText(value)]);
  }

  /** An expression without parts, or nearly so. */
  leaf(goal: Goal): Expression {
    const { type, scope } = goal;
    const { choice } = this;
    const names = this.visible(scope).filter((each) => each.type.equals(type));
    if (names.length > 0 && choice.percent(75)) return this.reference(choice.oneOf(names));
    if (type.isScalar && choice.percent(scope.isOpen ? 40 : 95)) return this.number();
    if (scope.isOpen && this.inputs.length < mostInputs) return this.reference(this.input(type));
    if (names.length > 0) return this.reference(choice.oneOf(names));
    if (type.isScalar) return this.number();
    if (type.isDense && type.isBound)
      return assembled("filled", type, [`${type}(`, this.indexOrNumber(type, scope), ")"]);
    if (type.isBound) return this.emptyOrOne(type);
    // An unbound tensor can only come from outside.
    if (scope.isOpen) return this.reference(this.input(type));
    return this.unboundFrom(type, scope) ?? this.emptyOrOne(bounded(type));
  }

  /** A tensor of the unbound type, made of a parameter that has its unbound dimensions. */
  private unboundFrom(type: TensorType, scope: Scope): Expression | undefined {
    const isUnbound = ({ kind, size }: Dimension): boolean => kind === "indexed" && size === undefined;
    const unbound = type.dimensions.filter(isUnbound);
    const found = scope.variables.find((each) =>
      unbound.every(({ name }) => has(each.type, name, isUnbound)),
    );
    if (found === undefined) return undefined;
    const more = found.type.names.filter((name) => !unbound.some((each) => each.name === name));
    const reference = this.reference(found);
    const reduced =
      more.length === 0 ? reference : assembled("max", type, ["reduce(", reference, `, max, ${more})`]);
    const rest = TensorType.of(
      type.cellType,
      type.dimensions.filter((each) => !isUnbound(each)),
    );
    const scalar = { type: rest, scope, depth: 0, budget: cellsOf(rest) };
    const whole = rest.isScalar
      ? reduced
      : assembled("operator", type, ["(", reduced, " * ", this.leaf(scalar), ")"]);
    return assembled("cell_cast", type, ["cell_cast(", whole, `, ${type.cellType})`]);
  }

  private indexOrNumber(type: TensorType, scope: Scope): Expression {
    const indexes = type.names.map((name) => ({ name, type: TensorType.scalar }));
    const scalars = [...scope.variables.filter((each) => each.type.isScalar), ...indexes];
    return this.choice.percent(70) ? this.reference(this.choice.oneOf(scalars)) : this.number();
  }

  /** A sparse or mixed literal with at most one row. */
  private emptyOrOne(type: TensorType): Expression {
    if (this.choice.percent(15)) return assembled("empty", type, [`${type}:{}`]);
    const address = type.dimensions.map(({ name, kind }) => `${name}:${kind === "mapped" ? "a" : 0}`);
    return assembled("one cell", type, [`${type}:{{${address.join()}}:`, this.number(), "}"]);
  }

  reference({ name, type }: Variable): Expression {
    return assembled("name", type, [name]);
  }

  /** What can be seen. */
  visible({ variables, isOpen }: Scope): Variable[] {
    const values = this.definitions.filter(({ parameters }) => parameters.length === 0);
    const named = values.map(({ name, body }) => ({ name, type: body.type }));
    return isOpen ? [...variables, ...this.inputs, ...named] : [...variables];
  }

  /** What a lambda of these tensors sees: its parameters, and now and then scalars from around it. */
  scopeOfLambda(goal: Goal, parameters: readonly Variable[]): Scope {
    const { scope } = goal;
    const { choice } = this;
    if (choice.percent(60)) return closedScope(parameters);
    if (scope.isOpen && choice.percent(40)) this.addScalar(goal);
    const around = this.visible(scope).filter(({ type }) => type.equals(TensorType.scalar));
    return closedScope([...around, ...parameters]);
  }

  /** One more scalar of the program, if there may be one: an input, or a named value. */
  private addScalar(goal: Goal): void {
    if (this.mayDefine && goal.scope.variables.length === 0 && this.choice.percent(50)) {
      const body = this.scalar(goal);
      this.definitions.push({ name: this.fresh("v"), parameters: [], ...nothingPassed, body });
    } else if (this.inputs.length < mostInputs) this.input(TensorType.scalar);
  }

  /** A value of the type. */
  tensor(type: TensorType, layout = this.layout(type)): Tensor {
    return tensorOf(type, layout, this.style, this.choice);
  }

  private layout(type: TensorType): Layout {
    return layoutOf(type, this.choice, this.isLarge ? mostSparseCells : 0);
  }

  /** A new input of the type. */
  private input(type: TensorType): Input {
    const [layout, other] = [this.layout(type), this.layout(type)];
    const tensor = (each = layout): Tensor => this.tensor(type, each);
    const input: Input = {
      name: `t${this.inputs.length}`,
      type,
      values: [tensor(), tensor(other), tensor()],
    };
    this.inputs.push(input);
    return input;
  }

  get mayDefine(): boolean {
    return this.definitions.length < this.mostDefinitions;
  }

  /** A name that nothing else has. */
  fresh(letter: string): string {
    return `${letter}${this.count++}`;
  }
}

const has = (type: TensorType, name: string, is: (dimension: Dimension) => boolean): boolean => {
  const dimension = type.dimension(name);
  return dimension !== undefined && is(dimension);
};

/** A type all of whose dimensions have a size. */
const bounded = (type: TensorType): TensorType =>
  type.withDimensions(
    type.dimensions.map(
      (each): Dimension => (each.kind === "indexed" && each.size === undefined ? { ...each, size: 2 } : each),
    ),
  );

/** A scope in which only these are seen. */
export const closedScope = (variables: readonly Variable[]): Scope => ({ variables, isOpen: false });

/** A scope in which these are seen too, and hide others of their names. */
export function inner(scope: Scope, variables: readonly Variable[]): Scope {
  const names = new Set(variables.map(({ name }) => name));
  return { ...scope, variables: [...scope.variables.filter(({ name }) => !names.has(name)), ...variables] };
}

export const scalars = (names: readonly string[]): Variable[] =>
  names.map((name) => ({ name, type: TensorType.scalar }));
