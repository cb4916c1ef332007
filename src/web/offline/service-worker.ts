/** What the service worker uses of its surroundings: the types of a page do not have them. */
interface WorkerScope {
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchRequest) => void): void;
  readonly clients: { claim(): Promise<void> };
}

interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchRequest extends Extendable {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** Written in front of this script by the build. */
declare const pageFiles: readonly string[];
declare const pageVersion: string;

const scope = globalThis as unknown as WorkerScope; // the global object of a service worker
const prefix = "sphex-page-";
const cacheName = prefix + pageVersion;

/** A new version waits until no tab has the old one, whose parts it does not have. */
async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(pageFiles.map((file) => new Request(file, { cache: "reload" })));
}

/** Old versions go when nothing needs them any longer. */
async function activate(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** A file of the page from the cache; anything else, of which there is nothing, from the network. */
async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const cached = await cache.match(request, { ignoreSearch: true });
  return cached ?? (await fetch(request));
}

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));
scope.addEventListener("fetch", (event) => {
  const isOwn = new URL(event.request.url).origin === location.origin;
  if (event.request.method === "GET" && isOwn) event.respondWith(answer(event.request));
});
