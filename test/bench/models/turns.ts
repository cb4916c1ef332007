/** Runs that are timed in turns, so that what disturbs the machine disturbs all. */
export interface Runner {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

export interface Turns {
  readonly rounds: number;
  readonly milliseconds: number;
}

/** The least time of one run, in milliseconds. */
export interface Row {
  readonly name: string;
  readonly least: number;
}

export async function timed(runners: readonly Runner[], { rounds, milliseconds }: Turns): Promise<Row[]> {
  const least = runners.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++)
    for (const [at, { run }] of runners.entries()) {
      const end = performance.now() + milliseconds;
      do {
        const start = performance.now();
        await run();
        least[at] = Math.min(least[at] ?? 0, performance.now() - start);
      } while (performance.now() < end);
    }
  return runners.map(({ name }, at) => ({ name, least: least[at] ?? Number.NaN }));
}

/** `ours 1.20 ms  onnxruntime-web 2.40 ms (0.50 ×)` */
export function rowText(title: string, [own, ...others]: readonly Row[]): string {
  const time = (least: number): string => `${least.toPrecision(3)} ms`;
  const columns = others.map(
    ({ name, least }) => `${name} ${time(least)} (${((own?.least ?? Number.NaN) / least).toFixed(2)} ×)`,
  );
  return [title.padEnd(28), `${own?.name} ${time(own?.least ?? Number.NaN)}`, ...columns].join("  ");
}
