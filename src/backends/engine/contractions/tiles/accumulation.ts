import { Code } from "../../assembler/code.js";
import { Groups } from "../../kernels/groups.js";
import { LocalScope, type StackValue } from "../../kernels/scope.js";
import { addExactly, compensatedTotal } from "../../kernels/sums.js";
import { words } from "../descriptor.js";

/**
 * `accumulate(sums, totals, isFirst, isLast)`: adds the doubles of a tile to exact totals, which it keeps with what they lost. The
 * last time, the totals go back to `sums`.
 */
export function accumulateCode(name: string, vectors: number): Code {
  const code = new Code(name, words(4), [], false);
  const scope = new LocalScope(code);
  const doubles = new Groups(scope, false).numbers("double", true);
  const [sums, totals, isFirst, isLast] = [0, 1, 2, 3];
  const vectorAt = (address: number, bytes: number): StackValue =>
    scope.loaded("v128.load", scope.local(address), bytes);
  const store = (address: number, bytes: number, value: StackValue): void =>
    scope.store("v128.store", scope.local(address), bytes, value);
  const accumulate = (bytes: number): void => {
    const lostAt = vectors * 16 + bytes;
    const [total, lost] = [scope.take("v128"), scope.take("v128")];
    const added = scope.bind("v128", vectorAt(sums, bytes));
    code.get(isFirst).if(
      () => {
        scope.set(total, added);
        code.v128("i32x4", 0).set(lost);
      },
      () => {
        scope.set(total, vectorAt(totals, bytes));
        scope.set(lost, vectorAt(totals, lostAt));
        addExactly(doubles, total, lost, added);
      },
    );
    const [sum, error] = [scope.local(total), scope.local(lost)];
    code.get(isLast).if(
      () => store(sums, bytes, compensatedTotal(doubles, sum, error)),
      () => {
        store(totals, bytes, sum);
        store(totals, lostAt, error);
      },
    );
  };
  for (let at = 0; at < vectors; at++) scope.withLocals(() => accumulate(at * 16));
  return code;
}

/**
 * `accumulate(floats, totals, sums, isFirst, isLast)`: adds the floats of a tile to totals of doubles, which lose nothing that floats
 * would notice. The last time, they go to `sums`.
 */
export function accumulateFloatsCode(name: string, vectors: number): Code {
  const code = new Code(name, words(5), [], false);
  const scope = new LocalScope(code);
  const groups = new Groups(scope, false);
  const doubles = groups.numbers("double", true);
  const [floats, totals, sums, isFirst, isLast] = [0, 1, 2, 3, 4];
  const into = code.local("i32");
  const vectorAt = (address: number, at: number): StackValue =>
    scope.loaded("v128.load", scope.local(address), at * 16);
  const addAll = (withTotal: (at: number, added: StackValue) => StackValue): void => {
    for (let at = 0; at < vectors; at++)
      scope.withLocals(() => {
        const widened = groups.widenedLanes(scope.bind("v128", vectorAt(floats, at)));
        for (const [half, added] of widened.entries())
          scope.store("v128.store", scope.local(into), (2 * at + half) * 16, withTotal(2 * at + half, added));
      });
  };
  code.get(sums).get(totals).get(isLast).do("select").set(into);
  code.get(isFirst).if(
    () => addAll((_, added) => added),
    () => addAll((at, added) => doubles.add(vectorAt(totals, at), added)),
  );
  scope.finish();
  return code;
}
