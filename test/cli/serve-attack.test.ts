import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patient } from "../patience.js";
import { stopwatch } from "../stopwatch.js";

/**
 * `sphex serve` under attack, as the built command in a process of its own: many requests, requests that take all the time
 * that there is, and clients that are slow or do nothing. `npm run test:serve` does more of it. All of it goes to this
 * machine, in numbers that are said here, and ends by itself.
 */
const isFull = process.env.SERVE === "full";
const numbers = isFull ? { requests: 10_000, slow: 200, heavy: 50 } : { requests: 1000, slow: 40, heavy: 20 };

let server: ChildProcess;
let port = 0;

beforeAll(async () => {
  const command = fileURLToPath(new URL("../../bin/sphex.js", import.meta.url));
  server = spawn(process.execPath, [command, "serve", "--port", "0", "--json", "--timeout", "2000"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: server.stdout ?? process.stdin });
  const [first] = await once(lines, "line");
  port = Number(new URL(JSON.parse(first).address).port);
});

afterAll(() => void server?.kill("SIGKILL"));

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly milliseconds: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 });

function ask(method: "GET" | "POST", path: string, body = "", own: Agent | false = agent): Promise<Reply> {
  const elapsed = stopwatch();
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, agent: own }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          retryAfter: response.headers["retry-after"],
          milliseconds: elapsed(),
        }),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

const evaluate = (expression: string): Promise<Reply> =>
  ask(
    "POST",
    "/playground/eval",
    `json=${encodeURIComponent(JSON.stringify([{ expr: expression }]))}`,
    false,
  );

/** The most memory that the server ever had, in megabytes, where the machine tells. */
function memory(): number | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

const quantile = (values: readonly number[], share: number): number =>
  Math.round([...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0);

/** Milliseconds that the page took, each time, while something else happened. */
async function latencies(meanwhile: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  void meanwhile.then(() => (isOver = true));
  do {
    const { status, milliseconds } = await ask("GET", "/", "", false);
    expect(status).toBe(200);
    times.push(milliseconds);
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (!isOver);
  return times;
}

const report = (what: string, times: readonly number[]): void =>
  console.info(
    `${what}: GET / in ${quantile(times, 0.5)} ms, 95 % in ${quantile(times, 0.95)}, all in ${quantile(times, 1)}; ` +
      `${memory() ?? "?"} MB at most, ${availableParallelism()} cores`,
  );

const trig = "sin(cos(sin(cos(sin(cos(sin(cos(sin(cos(sin(cos(y + a))))))))))))";

/** What has pauses; what is parsed or checked for long, which has none; what has a large value; what nests. */
const heavy = [
  `sum(map(tensor(x[3000])(x), f(a)(reduce(tensor(y[3000])(${trig}), sum))))`,
  `tensor(${Array.from({ length: 8000 }, (_, at) => `d${at}[1]`)})(1)`,
  "tensor(a[10],b[20],c[1000])(a*b*c)",
  Array.from({ length: 8000 }, (_, at) => `a${at}`).join("+"),
  `${"softmax(".repeat(190)}tensor(x[9]):[1,2,3,4,5,6,7,8,9]${", x)".repeat(190)}`,
];

test(
  "the page is there whatever is evaluated, and who asks too much is told to come again",
  patient,
  async () => {
    const idle = await latencies(new Promise((resolve) => setTimeout(resolve, 500)));
    const all = Promise.all(
      Array.from({ length: numbers.heavy }, (_, at) => evaluate(heavy[at % heavy.length] ?? "1")),
    );
    const times = await latencies(all);
    const replies = await all;
    report(`${numbers.heavy} heavy requests at once`, times);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 503]));
    for (const { status, retryAfter } of replies) expect(retryAfter).toBe(status === 503 ? "1" : undefined);
    for (const { status, body } of replies) if (status === 200) expect(body.length).toBeLessThan(20_000_000);
    // On a machine that does other things, everything takes longer, also when nothing is evaluated.
    if (isFull) {
      expect(quantile(times, 0.5)).toBeLessThan(100);
      expect(quantile(times, 0.95)).toBeLessThan(100 + 10 * quantile(idle, 0.95));
    }
    expect(memory() ?? 0).toBeLessThan(1500);
    expect((await evaluate("1 + 1")).body).toContain('"value":2');
  },
);

test("many requests take a second for each few hundred, and no more memory than a few", patient, async () => {
  const elapsed = stopwatch();
  const times: number[] = [];
  const askers = Array.from({ length: 20 }, async (_, asker) => {
    for (let at = asker; at < numbers.requests; at += 20) {
      const { status, milliseconds } = at % 10 === 0 ? await evaluate("1 + 1") : await ask("GET", "/");
      expect([200, 503]).toContain(status);
      if (at % 10 !== 0) times.push(milliseconds);
    }
  });
  await Promise.all(askers);
  report(`${numbers.requests} requests in ${Math.round(elapsed())} ms`, times);
  expect(memory() ?? 0).toBeLessThan(1500);
});

/** Clients that hold a connection and do not get on: what each sends first, and then, a byte every half second. */
const slowKinds: readonly { readonly name: string; readonly first: string; readonly drip: string }[] = [
  { name: "says nothing", first: "", drip: "" },
  { name: "stops within a header", first: "GET / HTTP/1.1\r\nHost: loc", drip: "" },
  { name: "writes headers without end", first: "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", drip: "a" },
  {
    name: "writes its form slowly",
    first: "POST /playground/eval HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\njson=",
    drip: "1",
  },
  { name: "asks and then does nothing", first: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", drip: "" },
];

test("who is slow is disconnected, and keeps nobody else from being served", patient, async () => {
  const elapsed = stopwatch();
  const closed = new Map<string, number[]>();
  const sockets: Socket[] = [];
  const all = Promise.all(
    Array.from({ length: numbers.slow }, async (_, at) => {
      const { name, first, drip } = slowKinds[at % slowKinds.length] ?? { name: "", first: "", drip: "" };
      const socket = connect(port, "127.0.0.1");
      sockets.push(socket);
      socket.on("error", () => undefined);
      socket.resume();
      socket.write(first);
      const timer = setInterval(() => drip !== "" && socket.writable && socket.write(drip), 500);
      await once(socket, "close");
      clearInterval(timer);
      closed.set(name, [...(closed.get(name) ?? []), elapsed()]);
    }),
  );
  const tooLate = setTimeout(() => {
    for (const each of sockets) each.destroy();
  }, 60_000);
  report(`${numbers.slow} slow clients`, await latencies(all));
  clearTimeout(tooLate);
  for (const [name, times] of closed)
    console.info(`who ${name} was disconnected after ${quantile(times, 1)} ms`);
  expect(Math.max(...[...closed.values()].flat())).toBeLessThan(30_000);
});

test.runIf(isFull)("who does not read replies fills no memory", patient, async () => {
  const expressions = Array.from({ length: 4 }, (_, cell) => ({ cell, expr: "tensor(x[150000])(x)" }));
  const body = `json=${encodeURIComponent(JSON.stringify(expressions))}`;
  const head = `POST /playground/eval HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`;
  const elapsed = stopwatch();
  const sockets = Array.from({ length: 100 }, () =>
    connect(port, "127.0.0.1")
      .on("error", () => undefined)
      .pause(),
  );
  const closed = Promise.all(sockets.map((each) => new Promise((resolve) => each.on("close", resolve))));
  for (const each of sockets) each.write(head + body);
  // A paused socket does not see that it was closed: after the time for replies, what the server sent is read.
  setTimeout(() => {
    for (const each of sockets) each.resume();
  }, 40_000);
  report("100 who do not read", await latencies(closed));
  expect(elapsed()).toBeLessThan(60_000);
  expect(memory() ?? 0).toBeLessThan(1500);
});

test("the end comes within a second, whatever goes on", patient, async () => {
  const asked = Array.from({ length: 8 }, (_, at) => evaluate(heavy[at % 2] ?? "1").catch(() => undefined));
  const idle = connect(port, "127.0.0.1");
  idle.on("error", () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const ended = once(server, "exit");
  const elapsed = stopwatch();
  server.kill("SIGTERM");
  const [code] = await ended;
  const milliseconds = Math.round(elapsed());
  console.info(`ended after ${milliseconds} ms`);
  await Promise.all(asked);
  idle.destroy();
  expect(code).toBe(0);
  if (isFull) expect(milliseconds).toBeLessThan(1000);
});
