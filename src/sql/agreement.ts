/** Several sides that go on when all of them have come so far: none does before the others. */
export class Agreement {
  private missing: number;
  private readonly all: Promise<void>;
  private resolve: () => void = () => {};

  constructor(sides: number) {
    this.missing = sides;
    this.all = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  /** One side more has come so far. @throws the reason of the signal where one of the others never will. */
  async reached(signal: AbortSignal): Promise<void> {
    this.missing--;
    if (this.missing === 0) this.resolve();
    await Promise.race([this.all, stopped(signal)]);
  }
}

const stopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
