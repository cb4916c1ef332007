/**
 * The clock, for tests of what has no other measure: when a process is to be killed, and how long a server lets others wait.
 * What it says decides about a test only where a machine has nothing else to do; elsewhere it is printed.
 */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => performance.now() - start;
}
