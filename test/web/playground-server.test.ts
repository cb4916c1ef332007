import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageFiles } from "../../src/cli/page/page-files.js";
import { type PageServer, servePage } from "../../src/cli/page/page-server.js";
import { pagePolicy, serverPolicy } from "../../src/cli/page/policy.js";
import { openBrowser } from "../../src/cli/terminal/browser.js";
import { command } from "../command.js";
import { temporaryFolder } from "../folder.js";

/** `sphex playground`: a folder of files, served to this machine alone. */
const { folder, run } = command();
const page = join(folder, "page");
let server: PageServer;

beforeAll(async () => {
  mkdirSync(join(page, "parts"), { recursive: true });
  writeFileSync(join(page, "index.html"), "<!doctype html><title>Sphex</title>");
  writeFileSync(join(page, "parts/main.js"), "export {};");
  writeFileSync(join(page, "parts/main.js.br"), brotliCompressSync("export {};"));
  writeFileSync(join(folder, "secret.txt"), "a secret");
  server = await servePage(pageFiles(page) ?? new Map(), 0);
});
afterAll(() => server.stop());

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Unlike `fetch`, this sends whatever path and headers it is given. */
function ask(
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { hostname, port } = new URL(server.address);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: Buffer.concat(chunks).toString() });
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe("the server of the page", () => {
  test("sends what the build has compressed to those who take it", async () => {
    const encodings = ["br", "gzip, deflate, br;q=0.5", "BR ; q=1", "gzip", "br;q=0", "br;q=x", "*", ""];
    const sent = await Promise.all(
      encodings.map((each) => ask("/parts/main.js", { headers: { "accept-encoding": each } })),
    );
    const compressed = brotliCompressSync("export {};").length;
    const isCompressed = sent.map(({ headers }) => headers["content-encoding"] === "br");
    expect(isCompressed).toEqual([true, true, true, false, false, false, false, false]);
    expect(sent.map(({ headers }) => headers["content-length"])).toEqual(
      isCompressed.map((is) => `${is ? compressed : "export {};".length}`),
    );
    for (const { headers } of sent)
      expect(headers).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        vary: "accept-encoding",
      });
    expect((await ask("/parts/main.js.br")).status).toBe(404);
  });

  test("sends its files, each as what it is", async () => {
    const index = await ask("/");
    expect(index).toMatchObject({ status: 200, body: "<!doctype html><title>Sphex</title>" });
    expect(index.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect((await ask("/index.html?embed#x")).body).toBe(index.body);
    const script = await ask("/parts/main.js");
    expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect((await ask("/", { method: "HEAD" })).body).toBe("");
  });

  test("lets the page load nothing but itself", async () => {
    for (const path of ["/", "/parts/main.js", "/nothing"]) {
      const { headers } = await ask(path);
      expect(headers["content-security-policy"]).toBe(serverPolicy);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
    expect(serverPolicy).toContain("default-src 'self'");
    expect(serverPolicy).not.toContain("unsafe-inline");
    expect(serverPolicy).not.toMatch(/'unsafe-eval'|\*/);
    expect(serverPolicy.startsWith(pagePolicy)).toBe(true);
  });

  // biome-ignore format: a table
  test.each([
    "/../secret.txt", "/parts/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//secret.txt", "/parts", "/parts/",
    "/index.html/", "/\\..\\secret.txt", "/%00", "*", "/__proto__", "/constructor",
  ])("has nothing at %s", async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  test("does not answer to a foreign name, nor to other methods", async () => {
    expect((await ask("/", { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await ask("/", { headers: { host: "localhost:8643" } })).status).toBe(200);
    expect((await ask("/", { method: "POST" })).status).toBe(405);
    expect((await ask("/", { method: "PUT" })).headers.allow).toBe("GET, HEAD");
  });

  test("listens on this machine alone", () => {
    expect(new URL(server.address).hostname).toBe("127.0.0.1");
  });

  test("a folder without a page has none", () => {
    expect(pageFiles(temporaryFolder())).toBeUndefined();
  });
});

describe("sphex playground", () => {
  test("a port that is taken is said to be", async () => {
    const { code, err } = await run(["playground", "--no-open", "--port", new URL(server.address).port]);
    expect(code).toBe(2);
    expect(err).toMatch(/cannot listen on 127\.0\.0\.1, port \d+: somebody else does|the page is not there/);
  });

  test("a port is a number", async () => {
    const { code, err } = await run(["playground", "--port", "eighty"]);
    expect(code).toBe(2);
    expect(err).toContain("It must be a whole number from 0 to 65535.");
  });

  test("no browser is no mistake", async () => {
    const { PATH } = process.env;
    try {
      process.env.PATH = folder;
      expect(await openBrowser("http://127.0.0.1:1/", "linux")).toBe(false);
    } finally {
      process.env.PATH = PATH;
    }
  });
});
