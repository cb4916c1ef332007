import type { Arena } from "../memory/arena.js";
import { mostThreads } from "./control.js";
import { listen, type Message, type WorkerLike } from "./port.js";
import { controlBlock, Team, type TeamMember } from "./team.js";

/** The threads of the engine, if a host has started any. */
export class Pool {
  team: Team | undefined;

  /**
   * Starts so many threads besides the calling one, on an arena's memory; those before them end. Comes back when all of
   * them have begun, or turned out not to.
   */
  async start(arena: Arena, count: number, start: () => WorkerLike): Promise<Team | undefined> {
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
      return worker !== undefined && (await hasBegun(worker, begin, onExit)) ? { worker, thread } : undefined;
    });
    const members = (await Promise.all(starting)).filter((each): each is TeamMember => each !== undefined);
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

/** Whether a worker has begun; then, and later, it may still go. */
function hasBegun(worker: WorkerLike, begin: Message, onExit: () => void): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      onExit();
      resolve(false);
    };
    for (const type of ["error", "messageerror", "exit"]) listen(worker, type, end);
    listen(worker, "message", () => resolve(true));
    try {
      worker.postMessage(begin);
    } catch {
      worker.terminate(); // memory cannot be sent here
      resolve(false);
    }
  });
}
