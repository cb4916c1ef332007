import { expect, test } from "vitest";
import { Connection, type WorkerPort } from "../../src/web/connection.js";
import { edited } from "../../src/web/document/edit.js";
import { documentOf, type PageDocument } from "../../src/web/document/page-document.js";
import type { FromWorker, ToWorker } from "../../src/web/protocol.js";
import { Evaluation } from "../../src/web/shell/evaluation.js";
import { handlers } from "../../src/web/worker/handlers.js";
import { type ServedPort, serve } from "../../src/web/worker/serve.js";
import { Choice } from "../hunt/choice.js";
import { patient } from "../patience.js";

/** Edits that come while earlier ones are being computed: what is shown in the end is what a new page shows. */

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A connection whose messages take a turn each way. */
function connection(): Connection {
  const connect = (): WorkerPort => {
    let receive: (message: FromWorker) => void = () => undefined;
    const port: ServedPort = {
      postMessage: (message) => void setImmediate(() => receive(structuredClone(message))),
      onmessage: null,
    };
    serve(port, handlers());
    return {
      send: (message: ToWorker) =>
        void setImmediate(() => port.onmessage?.({ data: structuredClone(message) })),
      listen: (listener) => {
        receive = listener;
      },
    };
  };
  return new Connection(connect, () => undefined);
}

function evaluation(): Evaluation {
  const fail = (message: string): never => expect.unreachable(message);
  return new Evaluation(connection(), () => undefined, fail);
}

const document = (...texts: readonly string[]): PageDocument =>
  documentOf(texts.map((text, at) => ({ kind: "expression", name: "abcd"[at] ?? "", text })));

async function settled(own: Evaluation): Promise<void> {
  do await wait(20);
  while (own.isRunning);
}

const shown = (own: Evaluation, { cells }: PageDocument): readonly unknown[] =>
  cells.map(({ id }) => {
    const report = own.report(id);
    return [report?.text, report?.state, report?.values, report?.problems.map(({ code }) => code)];
  });

async function fresh(last: PageDocument): Promise<readonly unknown[]> {
  const own = evaluation();
  void own.start(last);
  await settled(own);
  return shown(own, last);
}

test.each([
  {
    what: "another text of the same value",
    cells: ["1", "a + 1"],
    edits: [
      [1, "1 + 1"],
      [1, "2"],
    ],
  },
  {
    what: "another cell",
    cells: ["1", "1"],
    edits: [
      [1, "2"],
      [2, "3"],
    ],
  },
] as const)("an edit while another is told: $what", async ({ cells, edits }) => {
  const own = evaluation();
  let last = document(...cells);
  void own.start(last);
  await settled(own);
  for (const [id, text] of edits) {
    last = edited(last, { kind: "text", id, text });
    void own.start(last);
    await wait(4);
  }
  await settled(own);
  expect(shown(own, last)).toEqual(await fresh(last));
});

const texts = [
  ["1", "2", "2 ", "1 + 1", "", "1 +"],
  ["a + 1", "a + 1 ", "a * 2", "a +"],
  ["sum(tensor(x[300],y[300])(x*y+a))", "sum(tensor(x[200],y[300],z[10])(x*y+z*a))", "a", "b"],
  ["a + b", "c", "b + 1"],
];

test("any edits, as quick as they may be", patient, async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const choice = new Choice(seed);
    const own = evaluation();
    let last = document(...texts.map(([first = ""]) => first));
    void own.start(last);
    await settled(own);
    for (let left = choice.between(2, 5); left > 0; left--) {
      const id = choice.between(1, 4);
      last = edited(last, { kind: "text", id, text: choice.oneOf(texts[id - 1] ?? []) });
      void own.start(last);
      await wait(choice.oneOf([0, 1, 2, 4, 8, 12, 20, 40]));
    }
    await settled(own);
    expect(shown(own, last), `seed ${seed}`).toEqual(await fresh(last));
  }
});

test("a rename while cells are computed is of the texts that they have by then", async () => {
  const own = connection();
  const before = document("1", "sum(tensor(x[300],y[300],z[20])(x*y+z*a))", "a + 1");
  await own.request("evaluate", { ...before, skipped: [] });
  const slow = edited(before, { kind: "text", id: 1, text: "12" });
  const typed = edited(slow, { kind: "text", id: 3, text: "a + 1 + 1000" });
  void own.request("evaluate", { ...slow, skipped: [] });
  void own.request("evaluate", { ...typed, skipped: [] });
  const renaming = await own.request("rename", { id: 1, offset: undefined, name: "alpha" });
  expect(renaming).toMatchObject({ texts: [{ id: 2 }, { id: 3, text: "alpha + 1 + 1000" }] });
});

test("what is saved while cells are computed has their values", async () => {
  const own = connection();
  const before = document("1", "sum(tensor(x[300],y[300],z[20])(x*y+z*a))", "a * 2");
  await own.request("evaluate", { ...before, skipped: [] });
  const slow = edited(edited(before, { kind: "text", id: 3, text: "a * 200" }), {
    kind: "text",
    id: 1,
    text: "12",
  });
  void own.request("evaluate", { ...slow, skipped: [] });
  const { content } = await own.request("exportFile", { document: slow, form: "markdown" });
  expect(`${content}`).toContain("2400.0");
});

test("lines of texts that come from elsewhere end as in editors", () => {
  expect(document("1 +\r\n2\r3").cells.map(({ text }) => text)).toEqual(["1 +\n2\n3"]);
});

test("a cell that was cancelled is computed when somebody asks for it", async () => {
  const own = connection();
  const before = document("1", "a + 2");
  const states: string[] = [];
  const note = (each: { readonly kind: string; readonly state?: string }): void => {
    if (each.kind === "report") states.push(each.state ?? "");
  };
  await own.request("evaluate", { ...before, skipped: [1] }, { note });
  await own.request("evaluate", { ...before, skipped: [1] }, { note });
  expect(states).toEqual(["cancelled", "waiting"]);
  await own.request("evaluate", { ...before, skipped: [] }, { note });
  expect(states).toEqual(["cancelled", "waiting", "done", "done"]);
});

test("a cell that reads itself is not told to be below itself", async () => {
  const own = evaluation();
  void own.start(document("a + 1"));
  await settled(own);
  expect(own.report(1)?.problems[0]?.hint).toBe("give a cell above the name a");
});

test("what the other dialect refuses is no value that it reads", async () => {
  const own = connection();
  const texts = ["tensor(x[2]):[1,2] + tensor(x[3]):[1,2,3]", "max(tensor(x[2]):[0 / 0, 1], x)"];
  await own.request("evaluate", { ...document(...texts), skipped: [] });
  const refused = await own.request("compare", { id: 1 });
  expect(refused).toMatchObject({ dialect: "vespa", isRefused: true });
  expect(refused?.text).toContain("disagree about the size of x");
  const read = await own.request("compare", { id: 2 });
  expect(read).toEqual({ dialect: "vespa", isRefused: false, text: "NaN" });
});
