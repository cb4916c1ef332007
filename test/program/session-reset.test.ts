import { expect, test } from "vitest";
import { compile } from "../../src/index.js";

test("a session that is reset has the variables that it began with, also where chance made them", () => {
  const session = compile("variable w = random(x[3])\nassign w = w + 1\nsum(w)").session();
  const first = `${session.get("w")}`;
  session.run();
  expect(`${session.get("w")}`).not.toBe(first);
  session.reset();
  expect(`${session.get("w")}`).toBe(first);
});
