import { expect, test } from "vitest";
import { compile, numberText, SphexError } from "../../src/index.js";
import { Session } from "../../src/repl/session.js";
import { numbersByChance } from "../chance.js";

/**
 * What a session has computed is never seen where it is no longer so: after random lines, an expression is what it is in a program of the definitions that hold.
 */

const names = ["a", "b", "c", "d", "e"] as const;
const functions = ["f", "g"] as const;

/** What holds: the text of each definition, by what stands before its `=`, and the number of the input q. */
type Definitions = ReadonlyMap<string, string>;

/** What an expression is where these hold, and nothing was computed before. */
function answered(definitions: Definitions, line: string): string {
  const texts = [...definitions].filter(([head]) => head !== "q").map(([head, text]) => `${head} = ${text}`);
  const program = compile(["input q: tensor()", ...texts, line].join("\n"));
  return numberText(program.run({ q: Number(definitions.get("q")) }).asNumber());
}

/** Whether the definitions are a program: none needs itself, and each name is there. */
function isSound(definitions: Definitions): boolean {
  try {
    answered(definitions, "1");
    return true;
  } catch (error) {
    if (error instanceof SphexError) return false;
    throw error;
  }
}

test("a session says what a program of its definitions is", () => {
  const next = numbersByChance();
  const below = (count: number): number => Math.floor(next() * count);
  const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T; // of a list that is not empty
  const number = (): string => `${below(9) - 4}`;

  for (let round = 0; round < 25; round++) {
    const session = new Session();
    let definitions: Definitions = new Map([["q", "1"]]);
    const earlier: Definitions[] = [];
    const lines: string[] = [".set q = 1"];
    session.enter(".set q = 1");

    const defined = (): string[] =>
      [...definitions.keys()].filter((head) => names.some((name) => name === head));
    const called = (): string[] => functions.filter((name) => definitions.has(`${name}(p)`));
    const operand = (own: readonly string[]): string => {
      const values = [...own, ...defined(), "q", number()];
      const calls = called().map((name) => `${name}(${oneOf(values)})`);
      const sums = [
        `sum(tensor(x[3])(x * ${oneOf(values)}))`,
        `reduce(tensor(y[2])(y - ${oneOf(values)}), max)`,
      ];
      return oneOf([...values, ...values, ...calls, ...sums]);
    };
    const expression = (own: readonly string[] = []): string =>
      `${operand(own)} ${oneOf(["+", "-", "*"])} ${operand(own)}`;
    const define = (head: string, text: string): void => {
      const changed = new Map(definitions).set(head, text);
      if (!isSound(changed)) return;
      earlier.push(definitions);
      definitions = changed;
    };

    const acts: readonly (() => string | undefined)[] = [
      () => {
        const [name, text] = [oneOf(names), expression()];
        if (new RegExp(`\\b${name}\\b`).test(text)) return undefined;
        define(name, text);
        return `${name} = ${text}`;
      },
      () => {
        const [name] = defined();
        if (name === undefined) return undefined;
        const line = `${name} = ${name} ${oneOf(["+", "-"])} ${number()}`;
        const value = answered(definitions, line.replace(`${name} = `, ""));
        define(name, `(${value})`);
        return line;
      },
      () => {
        const [name, text] = [oneOf(functions), expression(["p"])];
        if (text.includes(`${name}(`)) return undefined;
        define(`${name}(p)`, text);
        return `${name}(p) = ${text}`;
      },
      () => {
        const value = number();
        earlier.push(definitions);
        definitions = new Map(definitions).set("q", value);
        return `.set q = ${value}`;
      },
      () => {
        const before = earlier.pop();
        if (before === undefined) return undefined;
        definitions = before;
        return ".undo";
      },
      () => expression(),
    ];
    for (let step = 0; step < 25; step++) {
      const line = oneOf(acts)();
      if (line === undefined) continue;
      lines.push(line);
      session.enter(line);
      const asked = expression();
      lines.push(asked);
      expect(session.enter(asked).text, lines.join("\n")).toBe(answered(definitions, asked));
    }
  }
});
