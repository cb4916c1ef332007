/**
 * What the page may load: its own files, and pictures that it makes itself. WebAssembly is compiled at run time; no text ever
 * becomes a script. The page says the same of itself, for servers that say nothing.
 */
const directives = {
  "default-src": "'self'",
  "script-src": "'self' 'wasm-unsafe-eval'",
  "img-src": "'self' data: blob:",
  "object-src": "'none'",
  "base-uri": "'none'",
  "form-action": "'none'",
} as const satisfies Readonly<Record<string, string>>;

const written = (all: Readonly<Record<string, string>>): string =>
  Object.entries(all)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");

/** As a page may say it of itself. */
export const pagePolicy: string = written(directives);

/** As a server says it, which may also forbid other sites to embed the page. */
export const serverPolicy: string = written({ ...directives, "frame-ancestors": "'self'" });
