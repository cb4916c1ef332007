/**
 * The test files that take more than about six seconds of a core, the longest first. They start first, so that no core
 * waits for the last of them, and `npm run test:quick` leaves them out.
 */
export const slowSuites: readonly string[] = [
  "growth",
  "endless",
  "print",
  "onnx",
  "agreement-conformance",
  "engine-omitted-passes",
  "fuzz",
  "patterns",
  "fuzz-surfaces",
  "sizes",
  "conformance",
  "threads",
  "engine-contractions",
  "primitive",
  "problem-types",
  "agreement",
  "laws",
  "hunt",
  "expressions",
  "optimise",
  "json-spans",
  "bench",
  "forest",
  "schema-recovery",
  "mutation",
  "replace-file",
  "serve-attack",
].map((name) => `test/${name}.test.ts`);
