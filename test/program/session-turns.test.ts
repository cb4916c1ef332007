import { expect, test } from "vitest";
import { compile, type HostFunction, type Session } from "../../src/index.js";

/** A run that assigns has seen the tensors as they were: what others assign to these before it ends would be lost. */

const text = `input a: tensor() = 1
persistent c = 0
persistent other = 0
h(a)
assign c = c + h(a)`;

const waiting = "a run of this session is in progress";

/** A session with a function of the host, which is told of the session. */
function sessionWith(call: (session: Session, value: number) => ReturnType<HostFunction["call"]>): Session {
  const h: HostFunction = {
    parameters: ["tensor()"],
    returns: "tensor()",
    call: (value) => call(session, value.asNumber()),
  };
  const session: Session = compile(text, { functions: { h } }).session();
  return session;
}

test("an asynchronous run is not overtaken by a synchronous one, nor by an assignment", async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const session = sessionWith(async (_, value) => {
    await answered;
    return value;
  });
  const run = session.runAllAsync({ a: 1 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(() => session.runAll({ a: 10 })).toThrow(waiting);
  expect(() => session.assign({ c: 100 })).toThrow(waiting);
  expect(() => session.reset()).toThrow(waiting);
  session.assign({ other: 7 });
  const next = session.runAllAsync({ a: 10 });
  answer();
  await run;
  await next;
  expect(session.get("c").asNumber()).toBe(11);
  expect(session.get("other").asNumber()).toBe(7);
  session.assign({ c: 100 });
  session.reset();
  expect(session.get("c").asNumber()).toBe(0);
});

test("a function of the host cannot assign what its run assigns", () => {
  let isCareless = true;
  const session = sessionWith((own, value) => {
    if (isCareless) own.assign({ c: 100 });
    return value;
  });
  expect(() => session.run()).toThrow("session/busy");
  isCareless = false;
  session.run();
  expect(session.get("c").asNumber()).toBe(1);
});

test("a run that fails is no longer under way", async () => {
  let isBroken = true;
  const session = sessionWith((_, value) => {
    if (isBroken) throw new Error("out of order");
    return value;
  });
  expect(() => session.run()).toThrow("out of order");
  await expect(session.runAsync()).rejects.toThrow("out of order");
  isBroken = false;
  session.run({ a: 4 });
  expect(session.get("c").asNumber()).toBe(4);
});
