import type { HeightMessage } from "./height-message.js";

/** Whether the page is to be a part of another: then it is only its cells, and keeps nothing. */
export const isEmbedded = (): boolean => new URLSearchParams(location.search).has("embed");

/** Tells the page around this one how high it is, now and whenever that changes. */
export function reportHeight(root: Element): void {
  if (parent === window) return;
  const report = (): void => {
    const message: HeightMessage = { sphexHeight: root.scrollHeight };
    parent.postMessage(message, "*"); // a number that anybody may know
  };
  new ResizeObserver(report).observe(root);
  report();
}
