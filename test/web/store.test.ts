import { expect, test } from "vitest";
import { documentOf } from "../../src/web/document/page-document.js";
import { DocumentStore } from "../../src/web/shell/document-store.js";

/** What the browser keeps of a page, whose tabs have one place for it. */

const document = (text: string) => documentOf([{ kind: "expression", name: "a", text }]);

function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    items,
  };
}

test("a document is there again", () => {
  const own = storage();
  const store = new DocumentStore(own, () => expect.unreachable());
  store.keep(document("1 + 1"));
  store.flush();
  expect(new DocumentStore(own, () => undefined).read()).toEqual(document("1 + 1"));
});

test("another tab that takes its place is told of once, until it is kept again", () => {
  const own = storage();
  const store = new DocumentStore(own, () => expect.unreachable());
  store.keep(document("1"));
  store.flush();
  const [key = ""] = own.items.keys();
  expect(store.isTakenOver({ key: "another" })).toBe(false);
  expect([store.isTakenOver({ key }), store.isTakenOver({ key })]).toEqual([true, false]);
  store.keep(document("2"));
  store.flush();
  expect(store.isTakenOver({ key })).toBe(true);
});

test("a browser without room is told", () => {
  let failures = 0;
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  };
  const store = new DocumentStore(full, () => failures++);
  store.keep(document("1"));
  store.flush();
  expect(failures).toBe(1);
});

test("documents that others took the place of are there again, each once, the last one last", () => {
  const own = storage();
  const store = new DocumentStore(own, () => expect.unreachable());
  for (const text of ["1", "2", "1", "3"]) store.keepReplaced(document(text));
  store.keep(document("3"));
  store.flush();
  expect(new DocumentStore(own, () => undefined).replaced()).toEqual([document("2"), document("1")]);
});

test("of those the last ten are kept, and no more than a million characters", () => {
  const store = new DocumentStore(storage(), () => expect.unreachable());
  for (let at = 1; at <= 12; at++) store.keepReplaced(document(`${at}`));
  expect(store.replaced()).toEqual(Array.from({ length: 10 }, (_, at) => document(`${at + 3}`)));
  store.keepReplaced(document("1".repeat(999_000)));
  expect(store.replaced()).toHaveLength(9);
  store.keepReplaced(document("2".repeat(1_000_001)));
  expect(store.replaced()).toEqual([]);
});

test("where there is no room for a document, those before it make room", () => {
  const own = storage();
  const small = {
    ...own,
    setItem: (key: string, text: string) => {
      const others = [...own.items].filter(([name]) => name !== key);
      if (others.reduce((sum, [, each]) => sum + each.length, text.length) > 400) throw new Error("full");
      own.setItem(key, text);
    },
  };
  const store = new DocumentStore(small, () => expect.unreachable());
  store.keepReplaced(document("1".repeat(200)));
  store.keep(document("2".repeat(200)));
  store.flush();
  expect(store.read()).toEqual(document("2".repeat(200)));
  expect(store.replaced()).toEqual([]);
});
