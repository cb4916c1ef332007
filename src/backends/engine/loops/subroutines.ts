import type { ScalarName } from "../../../language/scalar/functions.js";
import { Code } from "../assembler/code.js";
import { type LaneCalls, type LaneFunction, Numbers } from "../kernels/numbers.js";
import { LocalScope, type StackValue } from "../kernels/scope.js";

/**
 * Functions of a module that compute one number as the first of a vector's lanes: so what is written in lanes only can be
 * had for single numbers too, and is written once for all its uses.
 */
export class Subroutines implements LaneCalls {
  readonly functions: Code[] = [];
  private readonly callees = new Map<string, number>();

  constructor(
    /** The index of the first of them among the functions of the module. */
    private readonly first: number,
  ) {}

  call(name: ScalarName, caller: Numbers, values: readonly StackValue[], write: LaneFunction): StackValue {
    const callee = this.functionOf(`${name} ${caller.form}`, () =>
      this.create(name, caller, values.length, write),
    );
    return caller.scope.called(callee, values);
  }

  functionOf(name: string, write: () => Code): number {
    const existing = this.callees.get(name);
    if (existing !== undefined) return existing;
    const code = write(); // after those that it calls
    const callee = this.first + this.functions.length;
    this.functions.push(code);
    this.callees.set(name, callee);
    return callee;
  }

  private create(
    name: ScalarName,
    { form, type, isDouble, hasMultiplyAdd }: Numbers,
    count: number,
    write: LaneFunction,
  ): Code {
    const code = new Code(
      `${name} ${form}`,
      Array.from({ length: count }, () => type),
      [type],
      false,
    );
    const scope = new LocalScope(code);
    const n = new Numbers(scope, isDouble ? "f64x2" : "f32x4", hasMultiplyAdd, this);
    const arguments_ = Array.from({ length: count }, (_, at) =>
      n.bind(n.of([isDouble ? "f64x2.splat" : "f32x4.splat"], scope.local(at))),
    );
    const [x, y] = arguments_ as [StackValue, StackValue?]; // `count` of them
    write(n, x, y ?? x).push();
    code.lane(isDouble ? "f64x2.extract_lane" : "f32x4.extract_lane", 0);
    scope.finish();
    return code;
  }
}
