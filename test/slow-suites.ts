/**
 * The test files that take more than about six seconds of a core, the longest first. They start first, so that no core
 * waits for the last of them, and `npm run test:quick` leaves them out.
 */
export const slowSuites: readonly string[] = [
  "agreement-conformance",
  "print",
  "primitive",
  "fuzz",
  "conformance",
  "engine-contractions",
  "agreement",
  "expressions",
  "laws",
  "optimise",
  "threads",
  "hunt",
  "problem-types",
  "sizes",
  "schema-recovery",
  "forest",
  "json-spans",
  "bench",
].map((name) => `test/${name}.test.ts`);
