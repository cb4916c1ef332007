import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { enginesFolder, isAsked } from "./installed.js";
import { freePort } from "./postgres.js";

/** Spark for tests: PySpark in an environment of its own, a standalone master, two workers, and a Spark Connect server. */

const version = "4.0.1";
const environment = join(enginesFolder, "spark");

/** The folder of Spark's programs; nothing where it cannot be had, and then a line says so. */
export function sparkHome(): string | undefined {
  if (!isAsked) return undefined;
  const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
  if (!has("java", "-version")) {
    console.info("installing Java");
    spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", "default-jre-headless"]);
  }
  if (!has("java", "-version")) return skipped("there is no Java");
  mkdirSync(enginesFolder, { recursive: true });
  const python = join(environment, "bin", "python");
  if (!has(python, "-c", "import pyspark")) {
    console.info(`installing PySpark ${version} in ${environment}`);
    spawnSync("python3", ["-m", "venv", environment]);
    spawnSync(python, ["-m", "pip", "install", "--no-compile", `pyspark==${version}`]);
  }
  const found = spawnSync(python, ["-c", "import pyspark; print(pyspark.__path__[0])"], { encoding: "utf8" });
  const home = found.stdout?.trim() ?? "";
  return found.status === 0 && existsSync(home) ? home : skipped("PySpark cannot be installed");
}

function skipped(reason: string): undefined {
  console.info(`skipped: Spark, for ${reason} on this machine`);
}

/** A cluster that runs. */
export interface SparkCluster {
  readonly url: string;
  readonly stop: () => void;
}

/** Statements of tests are many and small: what compiles them would take longer than they do. */
const settings: Readonly<Record<string, string>> = {
  "spark.connect.grpc.binding.address": "127.0.0.1",
  "spark.cores.max": "2",
  "spark.default.parallelism": "2",
  "spark.driver.bindAddress": "127.0.0.1",
  "spark.driver.host": "127.0.0.1",
  "spark.executor.cores": "1",
  "spark.executor.memory": "512m",
  "spark.log.level": "ERROR",
  "spark.sql.codegen.factoryMode": "NO_CODEGEN",
  "spark.sql.codegen.wholeStage": "false",
  "spark.sql.shuffle.partitions": "2",
  "spark.ui.enabled": "false",
};

/** A master, two workers and a Spark Connect server on this machine, with their files in a folder. */
export async function startSpark(home: string, folder: string): Promise<SparkCluster> {
  const all: ChildProcess[] = [];
  const env = {
    ...process.env,
    SPARK_HOME: home,
    SPARK_LOCAL_IP: "127.0.0.1",
    SPARK_LOCAL_DIRS: folder,
  };
  /** A process, which ends with an error where nothing listens on its port before it is over. */
  const start = async (port: number | undefined, ...args: string[]): Promise<void> => {
    const log = join(folder, `log${all.length}`);
    const stdio = ["ignore", openSync(log, "w"), openSync(log, "a")] as const;
    // The server plans statements and holds their answers; the others do little.
    const memory = args.includes("--conf") ? "1g" : "256m";
    const options = { cwd: folder, env: { ...env, SPARK_DAEMON_MEMORY: memory }, stdio: [...stdio] };
    const process = spawn(join(home, "bin", "spark-class"), args, options);
    all.push(process);
    const isOver = (): boolean => process.exitCode !== null || process.signalCode !== null;
    while (port !== undefined && !(await isListening(port))) {
      if (isOver()) throw new Error(`Spark: ${readFileSync(log, "utf8").slice(-2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const stop = (): void => {
    for (const each of all) each.kill("SIGKILL");
  };
  const [port, connectPort] = [await freePort(), await freePort()];
  const master = `spark://127.0.0.1:${port}`;
  const address = ["--host", "127.0.0.1", "--port", `${port}`, "--webui-port", "0"];
  await start(port, "org.apache.spark.deploy.master.Master", ...address);
  for (const name of ["one", "two"]) {
    const work = ["--cores", "1", "--memory", "640m", "--webui-port", "0", "--work-dir", join(folder, name)];
    await start(undefined, "org.apache.spark.deploy.worker.Worker", ...work, master);
  }
  const options = { ...settings, "spark.connect.grpc.binding.port": `${connectPort}` };
  const written = Object.entries(options).flatMap(([name, value]) => ["--conf", `${name}=${value}`]);
  const server = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"];
  await start(connectPort, "org.apache.spark.deploy.SparkSubmit", "--master", master, ...written, ...server);
  return { url: `sc://127.0.0.1:${connectPort}`, stop };
}

/** Whether something listens on a port. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => resolve(false));
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
