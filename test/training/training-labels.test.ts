import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  compile,
  type Session,
  SphexError,
  type TrainingCheckpoint,
  type TrainOptions,
} from "../../src/index.js";
import { command } from "../command.js";
import { patient } from "../patience.js";

/** Labels that a variable does not have begin in the first step that has them. */

const factorisation: string = `input user: tensor(row[],user{})
input film: tensor(film{},row[])
input rating: tensor(row[])
variable tastes: tensor<float>(factor[2],user{}) = tensor<float>(factor[2],user{}):{ann:[0.5, 0.25]}
variable styles: tensor(factor[2],film{}) = tensor(factor[2],film{}):{}
predicted = sum(sum(user * tastes, user) * sum(film * styles, film), factor)
loss = avg((predicted - rating)^2)
minimise loss`;

/** Ratings: rows of a user, a film, and a number. */
function ratings(rows: readonly (readonly [string, string, number])[]): TrainOptions["data"] {
  const indicator = (name: string, labels: readonly string[]): string => {
    const blocks = [...new Set(labels)].map(
      (label) => `${label}:[${labels.map((each) => Number(each === label))}]`,
    );
    return `tensor(${name}{},row[${rows.length}]):{${blocks.join(",")}}`;
  };
  return {
    user: indicator(
      "user",
      rows.map(([user]) => user),
    ),
    film: indicator(
      "film",
      rows.map(([, film]) => film),
    ),
    rating: `tensor(row[${rows.length}]):[${rows.map(([, , rating]) => rating)}]`,
  };
}

const labels = {
  tastes: "0.5 * max(user, row) * (random(factor[2]) + 0.5)",
  styles: "0.5 * max(film, row) * (random(factor[2]) + 0.5)",
};
const data = ratings([
  ["ann", "alien", 1],
  ["bob", "alien", 0.5],
  ["bob", "brazil", 2],
  ["ann", "brazil", 1.5],
]);
const options = { data, labels, batch: 1, epochs: 3, rate: 0.05, seed: 4 } as const;

const labelsOf = (session: Session, name: string): readonly string[] =>
  session.get(name).labels.map(([label = ""]) => label);

async function trained(session: Session, options: TrainOptions) {
  const checkpoints: TrainingCheckpoint[] = [];
  for await (const { checkpoint } of session.train(options)) checkpoints.push(checkpoint());
  return checkpoints;
}

describe("labels on first sight", () => {
  const program = compile(factorisation);

  test("begin as the expression says where a step has them, and not before", async () => {
    const session = program.session();
    // A rate so small that steps do not move what begins.
    const [rate, epochs] = [1e-12, 1];
    const styles = "3 * max(film, row) * tensor(factor[2])(1)";
    await trained(session, { data: ratings([["ann", "alien", 1]]), labels: { styles }, rate, epochs });
    expect([labelsOf(session, "tastes"), labelsOf(session, "styles")]).toEqual([["ann"], ["alien"]]);
    const tastes = "7 * max(user, row) * tensor(factor[2])(factor + 1)";
    await trained(session, { data: ratings([["bob", "brazil", 2]]), labels: { tastes }, rate, epochs });
    expect(session.get("tastes").toString()).toBe(
      "tensor<float>(factor[2],user{}):{ann:[0.5, 0.25], bob:[7.0, 14.0]}",
    );
    expect(labelsOf(session, "styles")).toEqual(["alien"]);
  });

  test("begin in the step of their own items", async () => {
    const session = program.session();
    // Alien begins with the rating of its step, and not in the other step, where it has none.
    const styles = "max(film * rating, row) * tensor(factor[2])(1)";
    const items = ratings([
      ["ann", "alien", 3],
      ["ann", "brazil", 5],
    ]);
    await trained(session, { data: items, labels: { styles }, batch: 1, rate: 1e-12 });
    const [alien = 0, , brazil = 0] = [...session.get("styles").toArray()].map(Number);
    expect([alien, brazil].map((each) => Math.round(1e6 * each) / 1e6).sort()).toEqual([3, 5]);
  });

  test.each([1, 2, 4])("in batches of %i, a user of later batches is learnt", patient, async (batch) => {
    const session = program.session();
    await trained(session, { ...options, batch, epochs: 100, rate: 0.1 });
    expect(labelsOf(session, "tastes")).toEqual(["ann", "bob"]);
    expect(labelsOf(session, "styles")).toEqual(["alien", "brazil"]);
    expect(session.runAll(data).value("loss").asNumber()).toBeLessThan(0.01);
  });

  test("are the same for a seed, others for another, and those of a checkpoint", async () => {
    const [once, again, other, rest] = [
      program.session(),
      program.session(),
      program.session(),
      program.session(),
    ];
    const [resume] = await trained(once, options);
    await trained(again, options);
    await trained(other, { ...options, seed: 5 });
    if (resume === undefined) throw new Error("there was no epoch");
    expect(resume.tensors.tastes?.labels).toEqual([["ann"], ["bob"]]);
    await trained(rest, { ...options, resume });
    for (const name of ["tastes", "styles"]) {
      expect(again.get(name).equals(once.get(name)), name).toBe(true);
      expect(rest.get(name).equals(once.get(name)), name).toBe(true);
      expect(other.get(name).equals(once.get(name)), name).toBe(false);
    }
  });

  test.each([
    ["a literal", "tensor(k{}):{a:1, z:2}"],
    ["another dimension", "rename(other, l, k)"],
    ["one dimension for the other", "sum(rename(both, (k,l), (l,k)), l)"],
    ["a tensor that the session keeps", "kept"],
  ])("begin also where they come from %s, and no input has new ones along their own", async (_, begin) => {
    const text = `input x: tensor(k{},row{})
input other: tensor(l{}) = tensor(l{}):{z:2}
input both: tensor(k{},l{}) = tensor(k{},l{}):{{k:a,l:z}:2}
persistent kept: tensor(k{}) = tensor(k{}):{z:2}
variable w: tensor(k{}) = tensor(k{}):{a:1}
begin w = ${begin}
loss = sum(w * x)
minimise loss`;
    const session = compile(text).session();
    const data = { x: "tensor(k{},row{}):{{k:a,row:p}:1}" };
    await trained(session, { data, dimension: "row", optimiser: "sgd", rate: 1 });
    expect(`${session.get("w")}`).toBe("tensor(k{}):{a:0.0, z:2.0}");
  });

  test("are clipped together with other variables, beside what the program assigns itself", async () => {
    const text = `input x: tensor(k{},row{})
variable w: tensor(k{}) = tensor(k{}):{a:3, b:5}
variable v = 4
persistent seen = 0
assign seen = seen + sum(w)
loss = 3 * sum(w * x) + 4 * v
minimise loss`;
    const session = compile(text).session();
    const data = { x: "tensor(k{},row{}):{{k:a,row:p}:1}" };
    // The gradients are 3 and 4, and 5 together.
    await trained(session, { data, dimension: "row", optimiser: "sgd", rate: 1, clip: 1 });
    const { a, b } = Object.fromEntries(
      [...session.get("w").cells()].map(({ address, value }) => [address.k ?? "", value]),
    );
    expect([a, b, session.get("seen").asNumber()]).toEqual([expect.closeTo(2.4, 12), 5, 8]);
    expect(session.get("v").asNumber()).toBeCloseTo(3.2, 12);
  });

  test("do not begin in a step that fails", async () => {
    const session = program.session();
    const infinite = { ...labels, tastes: "max(user, row) * tensor(factor[2])(1 / factor)" };
    const bob = ratings([["bob", "alien", 0.5]]);
    await expect(trained(session, { ...options, data: bob, labels: infinite })).rejects.toThrow(/infinite/);
    expect([labelsOf(session, "tastes"), labelsOf(session, "styles")]).toEqual([["ann"], []]);
  });

  test("need a variable with labels, and an expression of its dimensions", async () => {
    const refused = (labels: Readonly<Record<string, string>>) =>
      expect(trained(program.session(), { ...options, labels })).rejects;
    await refused({ taste: "max(user, row)" }).toThrow(/taste is not a trained variable with labels/);
    await refused({ tastes: "max(user, row)" }).toThrow(/merge/);
    await refused({ tastes: "max(users, row)" }).toThrow(/users/);
  });

  test("begin as a statement says, and as an option instead of it", async () => {
    const statements = `\nbegin tastes = ${labels.tastes}\nbegin styles = ${labels.styles}`;
    const own = compile(factorisation + statements);
    const [by, other, option] = [own.session(), own.session(), program.session()];
    const { labels: _, ...rest } = options;
    await trained(by, rest);
    await trained(option, options);
    await trained(other, { ...rest, labels: { tastes: "0 * max(user, row) * random(factor[2])" } });
    for (const name of ["tastes", "styles"]) expect(`${by.get(name)}`, name).toBe(`${option.get(name)}`);
    expect([labelsOf(other, "tastes"), labelsOf(other, "styles")]).toEqual([["ann"], ["alien", "brazil"]]);
  });

  test("have the dimensions of the variable", () => {
    const text = "variable w: tensor<float>(k{}) = tensor<float>(k{}):{}\nbegin w = ";
    expect(() => compile(`${text}tensor(j{}):{a:1}`)).toThrow(/role\/type/);
    expect(() => compile(`${text}tensor(k{},x[2]):{a:[1,2]}`)).toThrow(/role\/type/);
    expect(() => compile(`${text}tensor(k{}):{a:0.1}`)).not.toThrow();
  });

  test("say in a statement what no other run computes", () => {
    const text =
      "input q: tensor(k{})\nvariable w: tensor(k{}) = tensor(k{}):{a:2}\nbegin w = map(q, f(x)(h(x)))\nw";
    const call = () => {
      throw new Error("a run computes it");
    };
    const functions = { h: { parameters: ["tensor()"], returns: "tensor()", call } };
    const session = compile(text, { functions }).session();
    for (let run = 0; run < 2; run++) expect(`${session.run()}`).toBe("tensor(k{}):{a:2.0}");
  });

  test("draw once for each label within map_subspaces", async () => {
    const chance = (name: string): string =>
      `map_subspaces(max(${name}, row), f(seen)(seen * random(factor[2])))`;
    const session = compile(`${factorisation}\nbegin styles = ${chance("film")}`).session();
    await trained(session, { data, rate: 1e-12, epochs: 1 });
    const cells = [...session.get("styles").toArray()].map((each) => Number(each).toFixed(6));
    expect(new Set(cells).size).toBe(4);
  });

  test("are an option of the command", async () => {
    const { folder, run } = command();
    writeFileSync(join(folder, "films.sphex"), factorisation);
    writeFileSync(join(folder, "ratings.csv"), "user,film,rating\nann,alien,1\nbob,brazil,2\n");
    const train = ["train", "films.sphex", "--data", "ratings.csv", "--rate", "1e-12", "--epochs", "1"];
    const tastes = ["--labels", "tastes=max(user, row) * tensor(factor[2])(2)"];
    const styles = ["--labels", "styles = max(film, row) * tensor(factor[2])(1)"];
    const { out } = await run([...train, ...tastes, ...styles]);
    expect(out).toContain("bob:[2.0, 2.0]");
    expect((await run([...train, "--labels", "tastes"])).err).toContain("variable=expression");
  });
});

test.each([
  "merge(a, b, c) = a * 5 + 0 * b",
  "filter_subspaces(a, b) = a * 2",
  "cell_cast(a, b) = a * 3",
])("%s is not what begins labels", (definition) => {
  const session = compile(`input u: tensor(row[],user{})
variable t: tensor(user{}) = tensor(user{}):{}
begin t = 0.3 * max(u, row)
loss = avg((sum(u * t, user) - 3)^2)
minimise loss
${definition}`).session();
  const data = { u: "tensor(row[2],user{}):{a:[1,0],b:[0,1]}" };
  expect(() => session.train({ data })).toThrow("which this program defines as something else");
});

test("a program may have names of its own that begin with training", async () => {
  const session = compile(`input training_user: tensor(row[],user{})
input training_y: tensor(row[])
variable training_w0: tensor(user{}) = tensor(user{}):{a:1, b:10}
persistent training_step = 0
persistent training_seen = 0
training_gradient = sum(training_w0)
assign training_step = training_step + 1
assign training_seen = training_seen + training_gradient
training_loss = avg((sum(training_user * training_w0, user) - training_y)^2)
minimise training_loss`).session();
  const data = {
    training_user: "tensor(row[2],user{}):{a:[1,1]}",
    training_y: "tensor(row[2]):[3,5]",
  };
  await trained(session, { data, epochs: 2, optimiser: "sgd", rate: 0.125 });
  // The slopes at 1 and at 1.75 are -6 and -4.5; b is in no row.
  expect(`${session.get("training_w0")}`).toBe("tensor(user{}):{a:2.3125, b:10.0}");
  expect(session.get("training_step").asNumber()).toBe(2);
  expect(session.get("training_seen").asNumber()).toBe(11 + 11.75);
});

test("a function of the program says how labels begin", async () => {
  const session = compile(`input u: tensor(row[],user{})
variable t: tensor(user{}) = tensor(user{}):{}
first(u) = 0.3 * max(u, row)
begin t = first(u)
loss = avg((sum(u * t, user) - 3)^2)
minimise loss`).session();
  const data = { u: "tensor(row[2],user{}):{a:[1,0],b:[0,1]}" };
  await session.train({ data, optimiser: "sgd", rate: 1e-300, epochs: 1 }).next();
  expect(`${session.get("t")}`).toBe("tensor(user{}):{a:0.3, b:0.3}");
});

describe("an option that says how labels begin", () => {
  const text = `input u: tensor(row[],user{})
variable t: tensor(user{}) = tensor(user{}):{}
loss = avg((sum(u * t, user) - 3)^2)
minimise loss`;
  const problemsOf = (labels: string): readonly (readonly [text: string, code: string])[] => {
    const data = { u: "tensor(row[1],user{}):{a:[1]}" };
    try {
      compile(text)
        .session()
        .train({ data, labels: { t: labels } });
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      return error.problems.map(({ span: { source, start, end }, code }) => [
        source.text.slice(start, end),
        code,
      ]);
    }
    return [];
  };

  test.each([
    ["max(u, row) * nope", "nope", "name/unknown"],
    ["1 +", "", "syntax/unexpected"],
    ["max(u, row); x = 3", ";", "syntax/unexpected"],
    ["max(u, row) * tensor(z[2])(1)", "max(u, row) * tensor(z[2])(1)", "type/merge-dimensions"],
  ])("is told where its own text is wrong: %s", (labels, place, code) => {
    expect(problemsOf(labels)).toEqual([[place, code]]);
  });
});
