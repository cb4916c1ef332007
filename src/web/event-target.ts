/** What an event came to: an element of the kind that its listener was put on. */
export function targetOf<E extends Element>({ target }: Event, kind: new () => E): E {
  if (target instanceof kind) return target;
  throw new TypeError(`the target of an event is no ${kind.name}`);
}
