import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { type Entry, type RunningServer, serve } from "../../src/cli/compat/server.js";
import { isLoopback, isOwnHost, originKind } from "../../src/cli/servers/callers.js";
import { command } from "../command.js";
import { patient } from "../patience.js";

/** `sphex serve`, asked over HTTP. */
const { run } = command();
const log: Entry[] = [];
const docs = "https://docs.vespa.ai";
const bounds = {
  bytes: 100_000,
  expressions: 5,
  cells: 10_000,
  characters: 500_000,
  time: 20_000,
  atOnce: 3,
};
const start = (more: object = {}): Promise<RunningServer> =>
  serve({ ...bounds, host: "127.0.0.1", port: 0, origins: [docs], log: (entry) => log.push(entry), ...more });
const server = await start();
afterAll(() => server.stop());

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Unlike `fetch`, this sends whatever headers it is given. */
function ask(
  { method = "GET", path = "/", headers = {}, body = "" }: Asked,
  { address } = server,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request(`${address.slice(0, -1)}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: Buffer.concat(chunks).toString() });
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

const path = "/playground/eval";
const form = (json: string): string => `json=${encodeURIComponent(json)}`;
const post = (json: unknown, headers: Asked["headers"] = {}, to = server): Promise<Reply> =>
  ask(
    { method: "POST", path, headers, body: form(typeof json === "string" ? json : JSON.stringify(json)) },
    to,
  );
const answers = async (...cells: readonly object[]) => JSON.parse((await post(cells)).body);

describe("the evaluation protocol", () => {
  test("answers a tensor with its type, its literal and its cells", async () => {
    const [found] = await answers({
      cell: 4,
      name: "t",
      expr: "tensor<float>(k{},x[2]):{a:[1,0.5]} * 2",
      verbose: true,
    });
    const { primitive, steps, ...rest } = found;
    expect(rest).toEqual({
      cell: 4,
      type: "tensor<float>(k{},x[2])",
      value: {
        literal: "tensor<float>(k{},x[2]):{a:[2.0, 1.0]}",
        cells: [
          { address: { k: "a", x: "0" }, value: 2 },
          { address: { k: "a", x: "1" }, value: 1 },
        ],
      },
      same: false,
    });
    expect(JSON.parse(steps).at(-1)).toEqual({ class: "join", symbol: "join multiply" });
    expect(primitive).toMatch(/^join\(/);
  });

  test("answers a number as a double, and what JSON has no number for as text", async () => {
    const found = await answers(
      { cell: 0, expr: "1 + 1" },
      { cell: 1, expr: "1 / 0" },
      { cell: 2, expr: "0 / 0" },
    );
    expect(found.map(({ type, value }: { type: string; value: unknown }) => [type, value])).toEqual([
      ["double", 2],
      ["double", "Infinity"],
      ["double", "NaN"],
    ]);
    expect(found[0].steps).toBe("[]");
  });

  test("says whether the expression is its value already", async () => {
    const expressions = ["tensor(x[2]):[1,2]", "7", "1 + 6", "tensor(x[2]):[1,1+1]", "tensor(k{}):{b:1,a:2}"];
    const found = await answers(...expressions.map((expr, cell) => ({ cell, expr })));
    expect(found.map(({ same }: { same: boolean }) => same)).toEqual([true, true, false, false, true]);
  });

  test("a cell may use the names above it; a name that comes again is a new value; an error is that of its cell", async () => {
    const found = await answers(
      { cell: 0, name: "query(q)", expr: "2" },
      { cell: 1, name: "query(q)", expr: "query(q) * 10" },
      { cell: 2, name: "__proto__", expr: "nothing" },
      { cell: 3, name: "sum(a * b, m)", expr: "query(q) + 1" },
      { cell: 4, name: "", expr: "sum(a * b, m) + query(q)" },
    );
    const told = found.map(
      ({ value, error, steps }: Record<string, string>) => value ?? [error?.split("\n")[0], steps],
    );
    expect(told).toEqual([2, 20, ["expression parsing failed", "[]"], 21, 41]);
  });

  test("the functions of an expression are expanded", async () => {
    const [{ primitive }] = await answers({ cell: 0, expr: "l2_normalize(tensor(x[2]):[3,4], x)" });
    expect(primitive).not.toMatch(/l2_normalize/);
  });

  test("what grows when it is written out has no primitive form", async () => {
    const expr = `${"softmax(".repeat(40)}tensor(x[2]):[1,2]${", x)".repeat(40)}`;
    const [found] = await answers({ cell: 0, expr });
    expect(found.primitive).toBeUndefined();
    expect(found.value.cells).toHaveLength(2);
  });

  test.each([
    { json: "{", says: /not JSON/ },
    { json: "{}", says: /list of cells/ },
    { json: "null", says: /list of cells/ },
    { json: "[".repeat(20_000), says: /not JSON/ },
    { json: "[7]", says: /\[0\]\.expr/ },
    { json: '[{"expr":"1"},{"expr":2}]', says: /\[1\]\.expr/ },
    { json: '[{"expr":"1","name":[]}]', says: /\[0\]\.name/ },
    { json: '[{"expr":"1","cell":"0"}]', says: /\[0\]\.cell/ },
    { json: JSON.stringify([{ expr: "1", name: "a".repeat(1001) }]), says: /\[0\]\.name/ },
    { json: JSON.stringify(Array(6).fill({ expr: "1" })), says: /at most 5/ },
  ])("a request that is none is told as the playground shows it: $says", async ({ json, says }) => {
    const { status, body } = await post(json);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(says) });
  });
});

describe("bounds", patient, () => {
  /** Ten thousand million additions. */
  const trig = "sin(cos(sin(cos(sin(cos(sin(cos(sin(cos(sin(cos(y + a))))))))))))";
  const endless = `sum(map(tensor(x[3000])(x), f(a)(reduce(tensor(y[3000])(${trig}), sum))))`;
  /** A server of its own, until the act is done. */
  const withServer = async (more: object, act: (own: RunningServer) => Promise<void>): Promise<void> => {
    const own = await start(more);
    try {
      await act(own);
    } finally {
      await own.stop();
    }
  };
  const hour = { time: 3_600_000 };

  test("what takes too long is stopped, and what is left then is not begun", async () => {
    await withServer({ time: 200 }, async (own) => {
      const evaluated = async () =>
        JSON.parse((await post([{ expr: endless }, { expr: "1" }], {}, own)).body);
      let cells = await evaluated();
      // A thread that a busy machine does not let run to its own end is ended, and tells of no cell.
      for (; !Array.isArray(cells); cells = await evaluated()) expect(cells.error).toMatch(/^200 ms for all/);
      const [stopped, late] = cells;
      expect(stopped.error).toMatch(/limit\/time/);
      expect(late.error).toMatch(/200 ms/);
    });
  });

  test("others are served meanwhile, and the end of the server is the end of all", async () => {
    let slow: Promise<unknown> = Promise.resolve();
    let isOver = false;
    await withServer(hour, async (own) => {
      slow = post([{ expr: endless }], {}, own)
        .catch(() => undefined)
        .then(() => (isOver = true));
      expect(JSON.parse((await post([{ expr: "1 + 1" }], {}, own)).body)[0].value).toBe(2);
      expect(isOver).toBe(false);
    });
    await slow;
  });

  test("no more are evaluated at once than are allowed", async () => {
    // Time enough for all four to arrive, however busy the machine is.
    await withServer({ time: 2000 }, async (own) => {
      const all = await Promise.all([1, 2, 3, 4].map(() => post([{ expr: endless }], {}, own)));
      expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 503]);
      expect((await post([], {}, own)).status).toBe(200);
    });
  });

  test.each([
    { expr: "tensor(x[10001])(x)", says: /limit\/cells/ },
    { expr: "tensor(a[10],b[10],c[10],d[10],e[1])(a)", says: /^this has a value, which is too long/ },
    {
      expr: `tensor(k{}):{'${"a".repeat(1000)}':1} * tensor(y[1000])(y)`,
      says: /^this has a value, which is too long/,
    },
    {
      expr: `tensor(${Array.from({ length: 5000 }, (_, at) => `d${at}[1]`)})(1)`,
      says: /^this has a value, which is too long/,
    },
    { expr: "(".repeat(300) + ")".repeat(300), says: /limit\/nesting|nest/ },
    { expr: Array.from({ length: 9000 }, (_, at) => `a${at}`).join("+"), says: /and 8995 more/ },
    { expr: "\ud800\0\u202e", says: /^expression parsing failed/ },
  ])("$says", async ({ expr, says }) => {
    const found = JSON.parse((await post([{ expr }])).body);
    expect(found[0].error).toMatch(says);
    expect(found[0].error.length).toBeLessThan(10_000);
  });

  test("a body that is too long is refused, whether or not it says its length", async () => {
    const body = "a".repeat(100_001);
    expect((await ask({ method: "POST", path, body })).status).toBe(413);
    const headers = { "transfer-encoding": "chunked" };
    expect((await ask({ method: "POST", path, headers, body })).status).toBe(413);
  });

  test("who goes away is not evaluated for any longer", async () => {
    await withServer({ ...hour, atOnce: 1 }, async (own) => {
      const socket = connect(Number(new URL(own.address).port), "127.0.0.1");
      const body = form(JSON.stringify([{ expr: endless }]));
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      while ((await post([], {}, own)).status !== 503)
        await new Promise((resolve) => setTimeout(resolve, 10));
      const before = log.length;
      socket.destroy();
      while (log.length === before) await new Promise((resolve) => setTimeout(resolve, 10));
    });
  });

  test("what is no HTTP does no harm", async () => {
    const socket = connect(Number(new URL(server.address).port), "127.0.0.1");
    socket.end("\0\0 nonsense\r\n\r\n");
    await new Promise((resolve) => socket.on("close", resolve).resume());
    expect((await ask({})).status).toBe(200);
  });
});

describe("what else may be asked", () => {
  test.each([
    { asked: {}, status: 200 },
    { asked: { method: "HEAD" }, status: 200 },
    { asked: { path: "/?a=b" }, status: 200 },
    { asked: { path: "//" }, status: 404 },
    { asked: { path: "/../../etc/passwd" }, status: 404 },
    { asked: { method: "POST" }, status: 405 },
    { asked: { path }, status: 405 },
    { asked: { path, method: "PUT" }, status: 405 },
    { asked: { path, method: "POST", body: "a=b" }, status: 400 },
    { asked: { path, method: "POST" }, status: 400 },
  ])("$asked", async ({ asked, status }) => {
    expect((await ask(asked)).status).toBe(status);
  });

  test("the page says how to ask, and fetches nothing", async () => {
    const { body, headers } = await ask({});
    expect(body).toContain(`${server.address}playground/eval`);
    expect(body).not.toMatch(/<(?:script|link|img|iframe)\b/);
    expect(headers["content-security-policy"]).toBe("default-src 'none'");
  });
});

describe("who may ask", () => {
  test.each([
    { host: "evil.example", status: 403 },
    { host: "evil.example:8642", status: 403 },
    { host: "127.0.0.1.evil.example", status: 403 },
    { host: "localhost.evil.example", status: 403 },
    { host: "localhost", status: 200 },
    { host: "LOCALHOST:1", status: 200 },
    { host: "127.0.0.1:1", status: 200 },
    { host: "[::1]:1", status: 200 },
    { host: "[evil.example]:1", status: 403 },
  ])("who calls this server $host gets $status", async ({ host, status }) => {
    expect((await ask({ headers: { host } })).status).toBe(status);
    expect((await post([], { host })).status).toBe(status);
  });

  test.each([
    { origin: "https://evil.example", status: 403, allowed: undefined },
    { origin: "null", status: 403, allowed: undefined },
    { origin: `${docs}.evil.example`, status: 403, allowed: undefined },
    { origin: "http://docs.vespa.ai", status: 403, allowed: undefined },
    { origin: docs, status: 200, allowed: docs },
    { origin: server.address.slice(0, -1), status: 200, allowed: undefined },
  ])("a page of $origin gets $status", async ({ origin, status, allowed }) => {
    const asked = await post([], { origin });
    expect(asked.status).toBe(status);
    expect(asked.headers["access-control-allow-origin"]).toBe(allowed);
    const preflight = await ask({ method: "OPTIONS", path, headers: { origin } });
    expect(preflight.status).toBe(status === 200 ? 204 : 403);
    expect(preflight.headers["access-control-allow-origin"]).toBe(allowed);
  });

  test.each([
    { host: "127.0.0.1", is: true },
    { host: "127.9.9.9", is: true },
    { host: "::1", is: true },
    { host: "localhost", is: true },
    { host: "0.0.0.0", is: false },
    { host: "::", is: false },
    { host: "127.evil", is: false },
    { host: "10.0.0.1", is: false },
    { host: "", is: false },
  ])("$host is loopback: $is", ({ host, is }) => expect(isLoopback(host)).toBe(is));

  test("a name that was given is one of ours", () => {
    expect(isOwnHost("box.local:80", { host: "Box.local" })).toBe(true);
    expect(isOwnHost("box.local:80", { host: "127.0.0.1" })).toBe(false);
    expect(originKind(undefined, "localhost", { origins: [] })).toBe("none");
  });
});

describe("the command", patient, () => {
  test("listens until it is interrupted, and logs", async () => {
    let interrupt = (): void => undefined;
    let tell: (address: string) => void = () => undefined;
    const listening = new Promise<string>((resolve) => (tell = resolve));
    const ended = run(["serve", "--port", "0", "--json"], {
      seen: (text) => {
        const { event, address } = JSON.parse(text);
        if (event === "listening") tell(address);
      },
      interrupted: () => new Promise((resolve) => (interrupt = resolve)),
    });
    const address = await listening;
    expect((await fetch(`${address}x`)).status).toBe(404);
    // What is still evaluated does not keep it from ending.
    const slow = ask(
      {
        method: "POST",
        path,
        body: form('[{"expr":"sum(map(tensor(x[100000])(x), f(a)(reduce(tensor(y[100000])(y), sum))))"}]'),
      },
      { address, stop: () => Promise.resolve() },
    ).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    interrupt();
    const { code, out, err } = await ended;
    await slow;
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [, first] = out.trim().split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({
      event: "request",
      method: "GET",
      path: "/x",
      status: 404,
    });
    await expect(fetch(address)).rejects.toThrow();
  });

  test.each([
    { args: ["--host", "0.0.0.0"], says: /other machines can reach 0\.0\.0\.0/ },
    { args: ["--host", "example.com"], says: /other machines/ },
    { args: ["--port", "65536"], says: /whole number/ },
    { args: ["--port", "-1"], says: /whole number/ },
    { args: ["--origin", "docs.vespa.ai"], says: /no origin/ },
    { args: ["--origin", "https://docs.vespa.ai/a"], says: /no origin/ },
    { args: ["--port", new URL(server.address).port], says: /somebody else does/ },
  ])("is refused: $args", async ({ args, says }) => {
    const found = await run(["serve", ...args], { interrupted: () => Promise.resolve() });
    expect(found).toMatchObject({ code: 2, out: "", err: expect.stringMatching(says) });
  });

  test("listens for others if it is told to", async () => {
    const found = await run(["serve", "--host", "0.0.0.0", "--allow-remote", "--port", "0"], {
      interrupted: () => Promise.resolve(),
    });
    expect(found).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^listening at http:\/\/0\.0\.0\.0:\d+\//),
    });
  });
});
