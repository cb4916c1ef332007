// Functions of the host: what no text of the language can be, such as an index, a price or a model behind a service. They are
// checked like the language's own, count against the limits, and are shown by explain, plan and editors.

import { check, compile, SphexError } from "sphex";

const prices = new Map([
  [0, 2.5],
  [1, 10],
]);
const functions = {
  // Pure: equal calls are made once.
  distance: {
    description: "Kilometres between two points on the Earth.",
    parameters: ["tensor(x[2])", "tensor(x[2])"],
    returns: "tensor()",
    pure: true,
    call: (from, to) => {
      const [[lat, lon], [otherLat, otherLon]] = [from, to].map((each) =>
        [...each.data].map((d) => (d * Math.PI) / 180),
      );
      const cosine =
        Math.sin(lat) * Math.sin(otherLat) + Math.cos(lat) * Math.cos(otherLat) * Math.cos(otherLon - lon);
      return 6371 * Math.acos(Math.min(1, cosine));
    },
  },
  // Asynchronous: runs that wait for it let other work go on. One that is not pure is called in each run.
  price: {
    parameters: ["tensor()"],
    returns: "tensor()",
    call: async (item) => prices.get(item.asNumber()),
  },
};

const program = compile("distance(tensor(x[2]):[0, 0], tensor(x[2]):[0, 90])", { functions });
console.log(program.run().asNumber().toFixed(0)); // a quarter of the equator
console.log(
  check("distance(1, 2)", { functions })
    .map(({ code }) => code)
    .join(),
);

const order = compile("input count: tensor()\ncount * price(0) + price(1)", { functions });
console.log((await order.runAsync({ count: 4 })).asNumber());
try {
  order.run({ count: 4 });
} catch (error) {
  if (!(error instanceof SphexError)) throw error;
  console.log(error.problems[0].code, "/", error.problems[0].description.hint);
}

//> 10008
//> call/host-argument,call/host-argument
//> 20
//> function/promise / run the program with runAsync or runAllAsync
