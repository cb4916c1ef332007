import { machines } from "../../../src/backends/engine/machine/machines.js";
import { compile, SphexError, type Tensor } from "../../../src/index.js";
import { Choice } from "../../hunt/choice.js";
import { type Call, calls } from "./calls.js";
import { anyValue } from "./values.js";

/** What went wrong with a call. */
export interface ApiFault {
  readonly number: number;
  readonly name: string;
  readonly message: string;
}

/** Makes the call of a number: the same for a seed. Nothing but values and errors of the library may come of it. */
export async function attempt(seed: number, number: number): Promise<ApiFault | undefined> {
  const choice = new Choice(seed * 1_000_003 + number);
  const call = choice.oneOf(calls);
  const values = argumentsOf(call, choice);
  const message = await faultOf(() => call.run(...values));
  return message === undefined ? undefined : { number, name: call.name, message };
}

/** Arguments of which some are wrong, some left out, and sometimes there is one too many. */
function argumentsOf({ parameters, name }: Call, choice: Choice): readonly unknown[] {
  const isMethod = name.includes(".") && !/^[A-Z]/.test(name);
  const all = parameters.map((parameter, at) => {
    const isSubject = at === 0 && isMethod;
    return !isSubject && choice.percent(25) ? anyValue(choice) : parameter(choice);
  });
  return choice.percent(10) ? [...all, anyValue(choice)] : all;
}

/** What is thrown that is not of the library. */
export async function faultOf(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
  } catch (error) {
    if (error instanceof SphexError)
      return error.problems.length > 0 ? undefined : "an error without problems";
    return error instanceof Error
      ? `${error.stack}`.split("\n").slice(0, 4).join(" ")
      : `${String(error)} was thrown`;
  }
  return undefined;
}

/** Ways to run a program on an array, as a result that the host may write to. */
const text = "input a: tensor(x[3])\nsame = a\na + 0\nsame";
const ways: Readonly<
  Record<string, (array: Float64Array, backend: "engine" | "closures" | "reference") => readonly Tensor[]>
> = {
  program: (a, backend) => compile(text, { backend }).runAll({ a }),
  prepared: (a, backend) => compile(text, { backend }).prepare().runAll({ a }),
  fixed: (a, backend) => compile(text, { backend }).prepare({ a }).runAll(),
  once: (a, backend) => [compile(text, { backend }).runOnce({ a })],
  session: (a, backend) => compile(text, { backend }).session().runAll({ a }),
};

/** The ways in which a result shares memory with an input of the host, or with a later result. */
export function aliases(): readonly string[] {
  const found: string[] = [];
  for (const backend of ["engine", "closures", "reference"] as const)
    for (const [name, run] of Object.entries(ways)) {
      const array = Float64Array.of(1, 2, 3);
      const results = run(array, backend);
      array.fill(9);
      if (results.some((each) => `${each.toArray()}` !== "1,2,3")) found.push(`${backend} ${name}: an input`);
      const again = run(Float64Array.of(1, 2, 3), backend);
      for (const each of results) (each.toArray() as Float64Array).fill(7); // of doubles
      if (again.some((each) => `${each.toArray()}` !== "1,2,3")) found.push(`${backend} ${name}: a result`);
    }
  return found;
}

/** The bytes of the engine's memory that so many runs leave in use, some of which fail or are given up. */
export async function leaked(count: number): Promise<number> {
  const { arena } = machines.named("engine");
  const program = compile(
    "input a: tensor(x[300])\nmap(sum(a * tensor(y[300])(y), x), f(v)(v + 1))",
  ).prepare();
  const a = new Float64Array(300);
  const runs = async (): Promise<void> => {
    program.run({ a });
    await program.runAsync({ a });
    await faultOf(() => program.run({ a: a.subarray(1) }));
    await faultOf(() => program.run({ a }, { into: new Float64Array(3) }));
    await faultOf(() => program.runAsync({ a }, { signal: AbortSignal.abort() }));
    await faultOf(() => program.runAll({ a }).value("nothing"));
  };
  await runs();
  const before = arena.bytesInUse;
  for (let run = 0; run < count; run++) await runs();
  return arena.bytesInUse - before;
}
