// Columns of Apache Arrow in and out. A column of numbers is an input like a typed array, which is not gone over number by
// number; a dictionary of labels and a column of numbers are a sparse tensor; and the cells of a tensor are a table again.

import { tableFromArrays, tableFromIPC, tableToIPC } from "apache-arrow";
import { compile, parseType, Tensor } from "sphex";

// As it would come from a file or a socket.
const bytes = tableToIPC(
  tableFromArrays({
    city: ["Oslo", "Rome", "Oslo"],
    sold: Float64Array.of(3, 5, 4),
    price: Float64Array.of(2, 10, 2.5),
  }),
);
const table = tableFromIPC(bytes);

// Columns: a tensor along the rows.
const revenue = compile(`
  input sold: tensor(row[])
  input price: tensor(row[])
  sold * price
`).run({ sold: table.getChild("sold"), price: table.getChild("price") });
console.log(revenue.toNested().join(" "));

// Labels and numbers: cells with addresses.
const cells = [...table].map((row, at) => ({ address: { row: at, city: row.city }, value: row.sold }));
const sold = Tensor.from(parseType("tensor(row{},city{})"), cells);
const byCity = compile("input sold: tensor(row{},city{})\nsum(sold, row)").run({ sold });

// Out: a column for each dimension, and one for the values.
const found = [...byCity.cells()];
const result = tableFromArrays({
  city: found.map(({ address }) => address.city),
  sold: Float64Array.from(found, ({ value }) => value),
});
for (const row of tableFromIPC(tableToIPC(result))) console.log(`${row.city} ${row.sold}`);

//> 6 50 10
//> Oslo 7
//> Rome 5
