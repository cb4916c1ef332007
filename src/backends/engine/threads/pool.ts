import type { Arena } from "../memory/arena.js";
import { mostThreads } from "./control.js";
import { listen, type Message, type WorkerLike } from "./port.js";
import { controlBlock, Team, type TeamMember } from "./team.js";

/** Workers that neither began nor ended within the time. */
export class SilentWorkers extends Error {
  constructor(
    readonly silent: number,
    readonly started: number,
  ) {
    super(`${silent} of ${started} workers did not answer`);
  }
}

/** The threads of the engine, if a host has started any. */
export class Pool {
  team: Team | undefined;

  /**
   * Starts so many threads besides the calling one, on an arena's memory; those before them end. Comes back when all of
   * them have begun, or turned out not to.
   * @throws SilentWorkers where one does neither for so many milliseconds; all of them are ended then.
   */
  async start(
    arena: Arena,
    count: number,
    start: () => WorkerLike,
    timeout: number,
  ): Promise<Team | undefined> {
    const previous = this.team;
    this.team = undefined;
    await previous?.stop();
    const { memory, isShared } = arena;
    const block = isShared && count > 0 ? controlBlock(arena) : undefined;
    if (memory === undefined || block === undefined) return undefined;
    let team: Team | undefined;
    const starting = Array.from({ length: Math.min(count, mostThreads - 2) }, async (_, at) => {
      const thread = at + 2;
      const worker = started(start);
      const onExit = (): void => {
        if (worker !== undefined) team?.remove(worker);
      };
      const begin: Message = { kind: "begin", memory, address: block.address, thread };
      return { worker, thread, answer: worker && (await answerOf(worker, begin, onExit, timeout)) };
    });
    const all = await Promise.all(starting);
    const silent = all.filter(({ answer }) => answer === "none").length;
    if (silent > 0) {
      await Promise.all(all.map(({ worker }) => worker?.terminate()));
      throw new SilentWorkers(silent, all.length);
    }
    const members = all.flatMap(({ worker, thread, answer }): TeamMember[] =>
      worker !== undefined && answer === "begun" ? [{ worker, thread }] : [],
    );
    for (const { worker } of members) worker.unref?.();
    team = new Team(arena, block, members);
    this.team = team;
    return team;
  }

  async stop(team: Team | undefined): Promise<void> {
    if (this.team === team) this.team = undefined;
    await team?.stop();
  }
}

function started(start: () => WorkerLike): WorkerLike | undefined {
  try {
    return start();
  } catch {
    return undefined;
  }
}

/** What a worker does first, within so many milliseconds; once it has begun, it may still end. */
function answerOf(
  worker: WorkerLike,
  begin: Message,
  onExit: () => void,
  timeout: number,
): Promise<"begun" | "ended" | "none"> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve("none"), timeout);
    const answer = (first: "begun" | "ended"): void => {
      clearTimeout(timer);
      resolve(first);
    };
    const end = (): void => {
      onExit();
      answer("ended");
    };
    for (const type of ["error", "messageerror", "exit"]) listen(worker, type, end);
    listen(worker, "message", () => answer("begun"));
    try {
      worker.postMessage(begin);
    } catch {
      worker.terminate(); // memory cannot be sent here
      answer("ended");
    }
  });
}
