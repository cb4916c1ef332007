// Starts three PostgreSQL servers, spreads ratings like those of films over them, and runs a program where they are.
// $ npm install && npm run build && node examples/sql/shards.js
// It needs the programs of a server (Debian: apt-get install postgresql); whoever is root lets the user postgres run them.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile, showTensor } from "sphex";
import { onCluster, postgresql, readBindings } from "sphex/sql";

const here = (name) => new URL(name, import.meta.url);
const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
const programs = process.env.PGBIN ?? `/usr/lib/postgresql/${versions.at(-1)}/bin`;
if (!existsSync(join(programs, "initdb"))) {
  console.error(
    "there is no PostgreSQL server on this machine: PGBIN=/where/its/programs/are node examples/sql/shards.js",
  );
  process.exit(1);
}

function run(program, ...args) {
  const line = [join(programs, program), ...args];
  const [command, ...rest] = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--", ...line] : line;
  const { status, stderr } = spawnSync(command, rest, {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const folder = mkdtempSync(join(tmpdir(), "sphex-shards-"));
chmodSync(folder, 0o777);
const started = [];

try {
  const shards = [];
  for (const at of [0, 1, 2]) {
    const data = join(folder, `shard${at}`);
    run("initdb", "-D", data, "-A", "trust", "-U", "sphex", "--no-sync");
    const port = await freePort();
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
    run("pg_ctl", "-D", data, "-w", "-l", join(folder, `shard${at}.log`), "-o", settings, "start");
    started.push(data);
    const shard = postgresql(`postgres://sphex@127.0.0.1:${port}/postgres`);
    const connection = await shard.connect();
    // The ratings of a user are on one shard; what is known of films is on each.
    await connection.query(`CREATE TABLE ratings AS
      SELECT 'u' || u AS user_id, m AS movie_id, 1 + (u * 7 + m * 13) % 5 AS stars
      FROM generate_series(0, 999) AS users (u), generate_series(0, 199) AS movies (m)
      WHERE (u * 31 + m * 17) % 9 = 0 AND u % 3 = ${at}`);
    await connection.query(`CREATE TABLE features AS
      SELECT m AS movie_id, g AS genre, ((m + length(g)) % 4) / 100.0 AS weight
      FROM generate_series(0, 199) AS movies (m), (VALUES ('comedy'), ('drama'), ('western')) AS genres (g)`);
    await connection.close();
    shards.push(shard);
  }

  const program = compile(readFileSync(here("taste.sphex"), "utf8"), { name: "taste.sphex" });
  // The same bindings as those of the files, to tables.
  const text = readFileSync(here("bindings.yaml"), "utf8").replaceAll(/file: (\w+)\.parquet/g, "table: $1");
  const bound = program.on(onCluster(shards), await readBindings({ name: "bindings.yaml", text }));

  let moved = 0;
  const [liking, mean] = await bound.runAll({ moved: (_, cells) => (moved += cells) });
  console.log(`${liking.rows} likings, the first of them:`);
  for (const { address, value } of [...liking.cells()].slice(0, 3))
    console.log(`  ${address.user} ${address.feature} ${value.toFixed(4)}`);
  console.log(`mean rating ${showTensor(mean)}`);
  console.log(`${moved} cells were moved: the likings, and a sum and a count of each shard`);
} finally {
  for (const data of started) run("pg_ctl", "-D", data, "-m", "immediate", "stop");
  rmSync(folder, { recursive: true, force: true });
}
