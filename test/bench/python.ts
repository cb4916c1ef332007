import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Cells, Inputs } from "./inputs.js";
import { root } from "./library.js";

/** Python with numpy, as a process beside this one: it works while we wait, and waits while we work. */
export class Python {
  private readonly waiting: ((line: string | undefined) => void)[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), "sphex-bench-"));
  private files = 0;

  private constructor(
    private readonly child: ChildProcess,
    /** Of python, numpy and scipy. */
    readonly versions: Readonly<Record<string, string | null>>,
  ) {}

  /** Nothing where there is no python3, or no numpy. */
  static async start(): Promise<Python | undefined> {
    const one = { OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };
    // NumPy takes the kernels that it chooses itself, whatever others on this machine have been told to.
    const chosen = { OPENBLAS_CORETYPE: undefined, OPENBLAS_L2_SIZE: undefined };
    const child = spawn("python3", [join(root, "test", "bench", "with_numpy.py")], {
      env: { ...process.env, ...one, ...chosen },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const versions: Record<string, string | null> = {};
    const python = new Python(child, versions);
    const isThere = new Promise<boolean>((resolve) => {
      child.once("error", () => resolve(false));
      child.once("spawn", () => resolve(true));
    });
    python.listen();
    try {
      if (!(await isThere)) throw new Error("no python3");
      Object.assign(versions, await python.ask("versions"));
      return python;
    } catch {
      python.stop();
      return undefined;
    }
  }

  private listen(): void {
    const { stdin, stdout } = this.child;
    stdin?.on("error", () => this.giveUp());
    this.child.once("exit", () => this.giveUp());
    if (stdout !== null) createInterface(stdout).on("line", (line) => this.waiting.shift()?.(line));
  }

  private giveUp(): void {
    for (const each of this.waiting.splice(0)) each(undefined);
  }

  private async ask(what: string, request: object = {}): Promise<unknown> {
    const line = await new Promise<string | undefined>((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin?.write(`${JSON.stringify({ do: what, ...request })}\n`);
    });
    if (line === undefined) throw new Error("python3 has ended");
    const reply = JSON.parse(line) as { value?: unknown; error?: string }; // as with_numpy.py writes it
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.value;
  }

  /** Gives inputs under their names, and forgets others. */
  async give(inputs: Inputs): Promise<void> {
    await this.ask("clear");
    for (const [name, { cells, shape, ids }] of Object.entries(inputs)) {
      await this.array(name, cells, shape);
      for (const [dimension, column] of Object.entries(ids))
        await this.array(`${name}_${dimension}`, column, [column.length]);
    }
  }

  private async array(name: string, cells: Cells | Int32Array, shape: readonly number[]): Promise<void> {
    const path = join(this.folder, `${this.files++}`);
    writeFileSync(path, new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength));
    await this.ask("array", { name, shape, path, kind: cells.constructor.name });
    rmSync(path);
  }

  /** What is timed under a name. */
  async define(name: string, before: string, run: string): Promise<void> {
    await this.ask("define", { name, before, run });
  }

  async answer(run: string): Promise<Float64Array> {
    const path = join(this.folder, `${this.files++}`);
    const count = Number(await this.ask("answer", { run, path }));
    const bytes = readFileSync(path);
    rmSync(path);
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + count * 8));
  }

  async time(name: string, milliseconds: number): Promise<number[]> {
    return (await this.ask("time", { name, milliseconds })) as number[]; // as with_numpy.py gives them
  }

  stop(): void {
    this.child.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
