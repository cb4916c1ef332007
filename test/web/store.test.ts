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
