type Input = string | Uint8Array;

/** How often an input is tried to be made smaller. */
const mostTries = 400;

/** The smallest input that is found, of which the same is true: parts are left out, first large ones, then small ones. */
export async function smaller(input: Input, isFaulty: (each: Input) => Promise<boolean>): Promise<Input> {
  let [best, tries] = [input, 0];
  for (let size = Math.ceil(input.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && tries < mostTries; tries++) {
      const candidate = without(best, at, at + size);
      if (await isFaulty(candidate)) best = candidate;
      else at += size;
    }
  }
  return best;
}

function without(input: Input, start: number, end: number): Input {
  if (typeof input === "string") return input.slice(0, start) + input.slice(end);
  return Uint8Array.from([...input.subarray(0, start), ...input.subarray(end)]);
}
