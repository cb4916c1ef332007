import { expect, test } from "vitest";
import { backendNames, compile } from "../../src/index.js";

/**
 * Numbers that a run must tell before it is planned further, several of them, and the same ones used elsewhere too: as labels,
 * in branches of bodies, as conditions.
 */
const condition = "matmul(tensor(m{}):{a:1,b:2}, tensor(m{}):{a:1,b:2}, m)";
const table = "tensor(k{},j{}):{0:{0:5},1:{1:6}}";

// biome-ignore format: a table
const programs = [
  { text: `sum(tensor(z[2])(if(${condition}, z, r))) + ${table}{k:(t),j:(r)}`,          t: 1, r: 1, cells: [7] },
  { text: `sum(tensor(z[2])(if(${condition} > t, z, r))) + ${table}{k:(t),j:(r)}`,      t: 5, r: 1, cells: [2] },
  { text: `sum(tensor(z[2])(if(${condition} > t, z, r)) * ${table}{k:(t),j:(r)})`,      t: 1, r: 1, cells: [6] },
  { text: `tensor(z[2])(if(z > t, r, 3)) + ${table}{k:(r),j:(t)}`,                      t: 0, r: 0, cells: [8, 5] },
  { text: `if(t > 0, ${table}{k:(r),j:(t)}, r) + tensor(z[2])(if(${condition}, r, t))`, t: 1, r: 1, cells: [7, 7] },
  { text: `${table}{k:(${table}{k:(r),j:(r)} - 5),j:(r)} + tensor(z[2])(if(z, r, t))`,  t: 2, r: 1, cells: [8, 7] },
];

test.each(programs)("$text, t = $t, r = $r", ({ text, t, r, cells }) => {
  for (const backend of backendNames)
    for (const optimise of [true, false]) {
      const program = compile(`input t: tensor()\ninput r: tensor()\n${text}`, { backend, optimise });
      for (let run = 0; run < 2; run++) expect([...program.run({ t, r }).data], backend).toEqual(cells);
    }
});

test("a sum is planned in one way, whichever branches a plan has", () => {
  const inputs = "input t: tensor(b{},k{})\ninput u: tensor(k{})\n";
  // A sum over names needs no rows of the product where nothing else has joined them, as a sum over all dimensions does.
  const [byName, ofAll] = ["reduce(t * u, sum, k, b)", "reduce(t * u, sum)"];
  const none = "tensor(b{},j[3]):{}";
  const text = `${inputs}if(${byName} > 1, if(${ofAll} > 9, ${none}, tensor(b{},j[3]):{{b:q,j:1}:2}), tensor(b{},j[3]):{{b:p,j:1}:${byName}})`;
  const t = "tensor(b{},k{}):{{b:p,k:a}:3,{b:q,k:c}:1,{b:q,k:d}:7}";
  for (const backend of backendNames) {
    const prepared = compile(text, { backend }).prepare();
    const cells = [2, 0, 4].map((a) => `${prepared.run({ t, u: `tensor(k{}):{a:${a},b:1}` })}`);
    expect(cells, backend).toEqual([
      "tensor(b{},j[3]):{q:[0.0, 2.0, 0.0]}",
      "tensor(b{},j[3]):{p:[0.0, 0.0, 0.0]}",
      "tensor(b{},j[3]):{}",
    ]);
  }
});
