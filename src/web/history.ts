/** Something that changes, with what it was, and with what it was before changes were taken back. Immutable. */
export interface History<State> {
  readonly present: State;
  readonly past: readonly Version<State>[];
  readonly future: readonly State[];
}

/** A state that another one came after. */
interface Version<State> {
  readonly state: State;
  /** What was written where, and when, if the change that followed may go on. */
  readonly typing: Typing | undefined;
}

interface Typing {
  readonly key: string;
  readonly at: number;
}

/** What can be taken back, and done again. */
export interface Undoable {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  undo(): void;
  redo(): void;
}

/** The most steps that can be taken back. */
const mostSteps = 1000;

/** What is typed in one place without such a pause, in milliseconds, is taken back as a whole. */
const pause = 800;

export const historyOf = <State>(present: State): History<State> => ({ present, past: [], future: [] });

/**
 * A history with a state that came at a time, in milliseconds. Changes with the same key are one, as long as nobody pauses;
 * one without a key is a step of its own. The same state once more is no change.
 */
export function withState<State>(
  history: History<State>,
  next: State,
  key: string | undefined,
  at: number,
): History<State> {
  const { present, past } = history;
  if (next === present) return history;
  const typing = key === undefined ? undefined : { key, at };
  const last = past.at(-1);
  const goesOn = key !== undefined && last?.typing?.key === key && at - last.typing.at < pause;
  const version = { state: goesOn ? last.state : present, typing };
  const before = goesOn ? past.slice(0, -1) : past.slice(1 - mostSteps);
  return { present: next, past: [...before, version], future: [] };
}

export function undone<State>({ present, past, future }: History<State>): History<State> | undefined {
  const last = past.at(-1);
  if (last === undefined) return undefined;
  return { present: last.state, past: past.slice(0, -1), future: [present, ...future] };
}

export function redone<State>({ present, past, future }: History<State>): History<State> | undefined {
  const [next, ...rest] = future;
  if (next === undefined) return undefined;
  return { present: next, past: [...past, { state: present, typing: undefined }], future: rest };
}
