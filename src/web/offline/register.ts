/** Keeps the page for times without a network, where the browser can; it works without. */
export function workOffline(): void {
  if (!("serviceWorker" in navigator) || !location.protocol.startsWith("http")) return;
  navigator.serviceWorker.register("service-worker.js").catch(() => undefined); // a browser may refuse, as private windows do
}
