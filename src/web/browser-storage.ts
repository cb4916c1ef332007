import { isEmbedded } from "./embed/embedded.js";

/** What keeps texts by name: `localStorage`, in a browser. */
export type TextStorage = Pick<Storage, "getItem" | "setItem">;

/** Where the page keeps what is written. A page that is a part of another keeps nothing; nor does a browser that lets no page do so. */
export function browserStorage(): TextStorage {
  if (isEmbedded()) return forgetfulStorage();
  try {
    return localStorage;
  } catch {
    return refusingStorage;
  }
}

function forgetfulStorage(): TextStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  };
}

const refusingStorage: TextStorage = {
  getItem: () => null,
  setItem: () => {
    throw new Error("this browser keeps nothing");
  },
};
