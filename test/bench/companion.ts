import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Contender } from "./contender.js";
import { type Packages, packageVersions, scriptsOf } from "./contenders.js";
import { Draw } from "./draw.js";
import type { Answer, Workload } from "./workload.js";
import { allWorkloads } from "./workloads/all.js";

/**
 * The peers that are scripts, in a process of their own: what we set in ours (the flag for wide vectors, a heap full of
 * our things) is not theirs. It works while we wait, and waits while we work.
 */
export class Companion {
  private constructor(
    private readonly child: ChildProcess,
    /** Of the packages that are there. */
    readonly versions: Readonly<Record<string, string>>,
  ) {}

  static async start(): Promise<Companion> {
    const child = fork(fileURLToPath(import.meta.url), ["--companion"], { serialization: "advanced" });
    child.setMaxListeners(0);
    const versions: Record<string, string> = {};
    const companion = new Companion(child, versions);
    Object.assign(versions, await companion.ask({ do: "versions" }));
    return companion;
  }

  /** Those that know a workload; each may fail when it is asked for its answer. */
  async contenders({ name }: Workload): Promise<Contender[]> {
    const peers = (await this.ask({ do: "begin", workload: name })) as string[]; // as below
    return peers.map((peer) => ({
      name: peer,
      answer: async () => (await this.ask({ do: "answer", peer })) as Answer, // as below
      sample: async (milliseconds) => (await this.ask({ do: "sample", peer, milliseconds })) as number[], // as below
    }));
  }

  private async ask(request: Request): Promise<unknown> {
    this.child.send(request);
    const ended = once(this.child, "exit").then(() => [{ error: "the process of the peers has ended" }]);
    const [reply] = (await Promise.race([once(this.child, "message"), ended])) as [Reply]; // what is sent below
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.value;
  }

  stop(): void {
    this.child.kill();
  }
}

type Request =
  | { readonly do: "versions" }
  | { readonly do: "begin"; readonly workload: string }
  | { readonly do: "answer"; readonly peer: string }
  | { readonly do: "sample"; readonly peer: string; readonly milliseconds: number };

interface Reply {
  readonly value?: unknown;
  readonly error?: string;
}

/** What the process of the peers does. */
export function accompany(packages: Packages): void {
  let makers = new Map<string, () => Promise<Contender>>();
  const contenders = new Map<string, Contender>();
  const contender = async (name: string): Promise<Contender> => {
    const made = contenders.get(name) ?? (await makers.get(name)?.());
    if (made === undefined) throw new Error(`there is no peer ${name}`);
    contenders.set(name, made);
    return made;
  };
  const reply = async (request: Request): Promise<unknown> => {
    if (request.do === "versions") return packageVersions(packages);
    if (request.do === "answer") return (await contender(request.peer)).answer();
    if (request.do === "sample") return (await contender(request.peer)).sample(request.milliseconds);
    const workload = allWorkloads().find(({ name }) => name === request.workload);
    contenders.clear();
    makers = workload === undefined ? new Map() : scriptsOf(workload, workload.inputs(new Draw(1)), packages);
    return [...makers.keys()];
  };
  process.on("message", async (request: Request) => {
    try {
      process.send?.({ value: await reply(request) });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? error.message : `${error}` });
    }
  });
  process.on("disconnect", () => process.exit(0));
}
