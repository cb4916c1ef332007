import { PassThrough, Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { type Options, uniform } from "../../src/index.js";
import { Session } from "../../src/repl/session.js";
import { runRepl } from "../../src/repl/terminal/terminal.js";

/** A conversation: the last reply to some lines, or all of them. */
function replies(lines: readonly string[], options: () => Options = () => ({})): string[] {
  const session = new Session(options);
  return lines
    .map((line) => session.enter(line))
    .map(({ kind, text }) => (kind === "answer" ? text : `${kind}: ${text}`));
}

const reply = (...lines: string[]): string | undefined => replies(lines).at(-1);

describe("an expression", () => {
  test("prints its value, a scalar as a number", () => {
    expect(reply("1 + 1")).toBe("2.0");
    expect(reply("tensor(x[2]):[1,2] * 2")).toBe("tensor(x[2]):[2.0, 4.0]");
    expect(reply("1; 2")).toBe("1.0\n2.0");
  });

  test("comes after its warnings", () => {
    expect(reply("7 // 2")).toMatch(/^warning: [\s\S]*\n7\.0$/);
    expect(reply("range(1)")).toMatch(/^note: .*\ntensor\(i\[1\]\):\[0\.0\]$/);
  });

  test("may be nothing, or a comment", () => {
    expect(replies(["", "  ", "# nothing"])).toEqual(["", "", ""]);
  });
});

describe("names", () => {
  test("are kept between lines, in any order of use", () => {
    expect(replies(["a = 2", "f(x) = x * a", "f(3)", "constant k = 4", "k + constant(k)"])).toEqual([
      "",
      "",
      "6.0",
      "",
      "8.0",
    ]);
  });

  test("are replaced by a new definition", () => {
    expect(replies(["a = 2", "b = a + 1", "b", "a = 10", "b"])).toEqual(["", "", "3.0", "", "11.0"]);
    expect(replies(["a = 2", "a(x) = x + 1", "a(1)", "input a: tensor() = 7", "a"])).toEqual([
      "",
      "",
      "2.0",
      "",
      "7.0",
    ]);
    expect(replies(["constant query(q) = 2", "input query( q ): tensor() = 3", "$q"]).at(-1)).toBe("3.0");
  });

  test("may come several in a line, and be replaced alone", () => {
    const lines = ["a = (1); b = ((2) ); f(x) = x # ; c = 4", "a = 10 // ;", "a + b + f(';' == ';')"];
    expect(replies(lines)).toEqual(["", "", "13.0"]);
  });

  test("may have any role", () => {
    const lines = ["input q: tensor() = 1", "variable v = 2", "persistent p: tensor() = 3", "q + v + p"];
    expect(reply(...lines)).toBe("6.0");
  });

  test("are not repeated: only new results are printed", () => {
    expect(replies(["a = 1; a", "2"])).toEqual(["1.0", "2.0"]);
  });

  test("do not go on into the next line", () => {
    expect(replies(["a = 8", "-1", "a"])).toEqual(["", "-1.0", "8.0"]);
    expect(reply("a = 8", "* 2")).toMatch(/^problem: error: [\s\S]*repl:1:1/);
  });

  test("hold still where they are random", () => {
    const seeded = (seed: number) => replies(["r = random(2)", "r", "r"], () => ({ random: uniform(seed) }));
    expect(seeded(1)[1]).toBe(seeded(1)[2]);
    expect(seeded(1)[1]).not.toBe(seeded(2)[1]);
  });
});

describe("a line with an error", () => {
  test("shows its place in the line alone", () => {
    const said = reply("a = 1", "b = 2", "a + nope");
    expect(said?.split("\n").slice(1, 4)).toEqual(["  ┌ repl:1:5", "1 │ a + nope", "  │     ^^^^"]);
  });

  test("changes nothing", () => {
    expect(
      replies(["a = 1", "a = 2; nope", "a", "c = (", ")", "a"]).filter((_, at) => [2, 5].includes(at)),
    ).toEqual(["1.0", "1.0"]);
  });

  test("changes nothing where the run fails", () => {
    expect(replies(["input q: tensor()", "a = 5", "a = 6; q", "a"]).at(-1)).toBe("5.0");
  });

  test("is one that breaks an earlier line, which is shown", () => {
    const said = replies(["a = tensor(x[2]):[1,2]", "b = sum(a, x)", "a = 3", "b"]);
    expect(said[2]?.split("\n").slice(1, 7)).toEqual([
      "  ┌ repl:1:1",
      "1 │ a = 3",
      "  │ ^^^^^",
      "  ┌ an earlier line:1:12",
      "1 │ b = sum(a, x)",
      "  │            ─ needs it as it was",
    ]);
    expect(said[3]).toBe("3.0");
  });

  test("may define a name twice", () => {
    expect(reply("a = 1; a = 2")).toContain("name/duplicate");
  });

  test("is not one because an earlier line had a warning", () => {
    expect(reply("exp = 2")).toContain("name/shadows");
    expect(reply("exp = 2", "exp + 1")).toBe("3.0");
  });
});

describe("a statement of several lines", () => {
  test("goes on while a bracket is open", () => {
    expect(replies(["a = tensor(x[2]):[", "1, # one (", "", "2]", "sum(a)"])).toEqual([
      "more: ",
      "more: ",
      "more: ",
      "",
      "3.0",
    ]);
  });

  test("does not go on behind a bracket that closes another", () => {
    const session = new Session();
    for (const line of ["tensor(x[,y[3])", "sum(tensor(x[2]):[1, 2)", "{(a}"]) {
      const { kind, text } = session.enter(line);
      expect([kind, text.includes("syntax/mismatched")]).toEqual(["problem", true]);
    }
    expect(session.enter("1 + 1").text).toBe("2.0");
  });

  test("goes on after an operator, until a blank line", () => {
    expect(reply("1 +", "2")).toBe("3.0");
    expect(replies(["1 +", ""])[1]).toContain("syntax/unexpected");
  });

  test("does not go on because of brackets in quotes and comments", () => {
    expect(replies(["'(' == '['", '"\\"(" == 1', "1 # ("])).toEqual(["0.0", "0.0", "1.0"]);
  });

  test("ends where a bracket closes that was not open", () => {
    expect(reply("1)")).toContain("syntax/unopened");
  });

  test("can be abandoned", () => {
    const session = new Session();
    session.enter("f(");
    session.abandon();
    expect(session.enter("1")).toEqual({ kind: "answer", text: "1.0" });
  });
});

describe("commands", () => {
  test(".help lists them all", () => {
    for (const name of [".help", ".type EXPR", ".set NAME = LITERAL", ".clear", ".exit"])
      expect(reply(".help")).toContain(name);
  });

  test.each(["?", " ? ", "??", "help?"])("%s asks for help", (line) => {
    expect(reply(line)).toBe(reply(line.startsWith("h") ? ".help help" : ".help"));
  });

  test.each(["?sum", "? sum", "sum?", "??sum"])("%s asks what sum is", (line) => {
    expect(reply(line)).toBe(reply(".help sum"));
    expect(reply(line)).toContain("sum(t");
  });

  test("a question in an expression is told what a choice is written as", () => {
    expect(reply("a > 1 ? 2 : 3")).toContain("if(condition, then, otherwise)");
  });

  test(".type gives a type and evaluates nothing", () => {
    expect(reply("input q: tensor<float>(x[3])", ".type q * 2")).toBe("tensor<float>(x[3])");
    expect(reply(".type a = 1")).toBe("problem: .type takes an expression");
    expect(reply(".type")).toBe("problem: .type takes an expression");
    expect(reply(".type nope")).toContain("repl:1:1");
  });

  test(".set gives an input a value, by its declared type or its own", () => {
    expect(reply("input q: tensor(x[2])", ".set q = [1,2]", "q")).toBe("tensor(x[2]):[1.0, 2.0]");
    expect(reply(".set query(q) = tensor(x[1]):[5]", "$q + 1")).toBe("tensor(x[1]):[6.0]");
    expect(reply(".set q = {{x:a}:1}", "input q: tensor<float>(x{})", "q")).toBe(
      "tensor<float>(x{}):{a:1.0}",
    );
    expect(reply(".set q = 1", ".set q = 2", "q")).toBe("2.0");
  });

  test(".set refuses what does not fit, and then changes nothing", () => {
    const said = replies([
      "input q: tensor() = 1",
      ".set q = tensor(x[1]):[1]",
      "q",
      ".set a = [1",
      "a = 1",
      ".set a = 2",
    ]);
    expect(said[1]).toContain("problem: ");
    expect(said[2]).toBe("1.0");
    expect(said[3]).toContain("syntax/unclosed");
    expect(said[5]).toContain("input/unknown");
    expect(reply(".set q")).toBe("problem: write .set NAME = LITERAL");
  });

  test(".set is forgotten where a new definition does not fit it", () => {
    const lines = [".set q = tensor(x[1]):[1]", "input q: tensor(y[1]) = tensor(y[1]):[2]", "q"];
    expect(reply(...lines)).toBe("tensor(y[1]):[2.0]");
  });

  test(".clear forgets all", () => {
    expect(reply("a = 1", ".set q = 1", ".clear", "a")).toContain("name/unknown");
    expect(reply("a = 1", ".set q = 1", ".clear", "q")).toContain("name/unknown");
  });

  test(".exit leaves, and others are unknown", () => {
    expect(reply(".exit")).toBe("exit: ");
    expect(reply(".tpye 1")).toBe("problem: there is no .tpye: did you mean .type?");
    expect(reply(".")).toBe("problem: there is no .; .help lists what there is");
  });
});

describe("a script", () => {
  async function run(text: string) {
    let [out, err] = ["", ""];
    const sink = (take: (chunk: string) => void) =>
      new Writable({
        write(chunk, _, done) {
          take(`${chunk}`);
          done();
        },
      });
    const code = await runRepl({
      options: () => ({}),
      problemOptions: {},
      settings: {},
      input: Readable.from([text]),
      output: sink((chunk) => (out += chunk)),
      errors: sink((chunk) => (err += chunk)),
      isTTY: false,
    });
    return { code, out, err };
  }

  test("prints values and no prompts", async () => {
    expect(await run("a = (1 +\r\n2)\r\na\r\n.type a")).toEqual({ code: 0, out: "3.0\ntensor()\n", err: "" });
  });

  test("goes on after a problem, and ends badly", async () => {
    const { code, out, err } = await run("nope\n1\n");
    expect({ code, out }).toEqual({ code: 1, out: "1.0\n" });
    expect(err).toContain("name/unknown");
  });

  test.each([
    ["1 + )", "repl:3:5"],
    ["nope", "repl:3:1"],
    [".type 1 + )", "repl:3:5"],
    ["(1 +\n))", "repl:4:2"],
  ])("has the number of its line where %j has a problem", async (line, place) => {
    expect((await run(`1\n2\n${line}\n`)).err).toContain(`${place}\n`);
  });

  test("ends at .exit, or with what is still open", async () => {
    expect((await run("1\n.exit\n2\n")).out).toBe("1.0\n");
    expect((await run("1\nsum(")).err).toContain("syntax/unclosed");
  });
});

/** A conversation at a terminal: what is typed, its exit code at the end, and all that was shown until then. */
function atTerminal(settings: Readonly<Record<string, number>>) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk) => {
    shown += chunk;
  });
  const ends = { input, output, errors: output, isTTY: true };
  const end = runRepl({ options: () => ({}), problemOptions: {}, settings, ...ends });
  return { input, end, shown: () => shown };
}

test("what is pasted at a terminal is shown as it is, and cannot hide or turn around", async () => {
  const { input, end, shown } = atTerminal({});
  const hidden = "\u202e\u200b\u009b31m\u2066";
  // In the middle of a character, too.
  const bytes = Buffer.from(`tensor(k{}):{"${hidden}é":1}\r`);
  for (const byte of bytes) input.write(Uint8Array.of(byte));
  input.end(".exit\r");
  expect(await end).toBe(0);
  expect(shown()).toContain(String.raw`{"\u202e\u200b\u009b31m\u2066é":1}`);
  for (const character of hidden.replace("31m", "")) expect(shown()).not.toContain(character);
});

test("a terminal shows prompts, and values behind them", async () => {
  const { input, end, shown } = atTerminal({ q: 5 });
  input.end("(q +\r1)\r.exit\r");
  expect(await end).toBe(0);
  expect(shown()).toContain("> ");
  expect(shown()).toContain("… ");
  expect(shown()).toContain("6.0\n");
});
