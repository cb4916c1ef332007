/** Chevrotain checks a grammar with `Object.groupBy`, which Node 20 lacks; what reads a text does without. */
if (!("groupBy" in Object))
  Object.defineProperty(Object, "groupBy", {
    value: <Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Record<string, Item[]> => {
      const groups: Record<string, Item[]> = {};
      for (const item of items) groups[keyOf(item)] = [...(groups[keyOf(item)] ?? []), item];
      return groups;
    },
  });
