import type { TourStep } from "./exercise.js";

/** The functions that the language consists of: section 5.3. */
export const functionSteps: readonly TourStep[] = [
  {
    section: "5.3.1",
    title: "map",
    text: `\`map(t, f(x)(…))\` computes a new value for each cell, from the old one. The addresses stay as they are, and so does
the type.

\`f(x)(x * x)\` is a *lambda*: a function without a name, of the parameters in the first parentheses, with the value in the
second ones. Functions of numbers do the same without saying so: \`sqrt(t)\` is \`map(t, f(x)(sqrt(x)))\`.`,
    exercise: {
      id: "tour-map",
      title: "Degrees",
      task: "`celsius` has temperatures. Give them in Fahrenheit: nine fifths of each, and 32 more.",
      inputs: { celsius: "tensor(city{}):{oslo:-10, bergen:5, bodo:0}" },
      others: { celsius: "tensor(city{}):{trondheim:20}" },
      goal: "tensor(city{}):{oslo:14, bergen:41, bodo:32}",
      start: "map(celsius, f(c)(c * 9 / 5))",
      solution: "map(celsius, f(c)(c * 9 / 5 + 32))",
      hint: "The parameter `c` is the value of a cell. The lambda is an expression like any other.",
    },
  },
  {
    section: "5.3.2",
    title: "reduce",
    text: `\`reduce(t, aggregator, dimension, …)\` makes one cell of all those that differ in these dimensions only, and the
dimensions are gone. Without a dimension it reduces all, and the result is a number.

The aggregators are \`avg\`, \`count\`, \`max\`, \`median\`, \`min\`, \`prod\` and \`sum\`. Each is a short form, too:
\`sum(t, x)\` is \`reduce(t, sum, x)\`.`,
    exercise: {
      id: "tour-reduce",
      title: "Best of each",
      task: "Each student took three exams. What is the mean over all students of their best result?",
      inputs: { marks: "tensor(student{},exam[3]):{kim:[2, 5, 3], lee:[1, 1, 4], max:[3, 3, 3]}" },
      others: { marks: "tensor(student{},exam[3]):{kim:[0, 0, 6.5], lee:[4, 0, 1], ann:[1, 2, 1]}" },
      goal: "4",
      start: "reduce(marks, max, exam)",
      solution: "avg(max(marks, exam))",
      hint: "Reduce twice: first along `exam`, then what is left.",
    },
  },
  {
    section: "5.3.3",
    title: "join",
    text: `\`join(a, b, f(x, y)(…))\` brings together the cells of two tensors that agree in all the labels that they share. This is
the natural join of databases, and the heart of the language.

- If both have the same dimensions, it works cell by cell.
- If they share none, every cell meets every other.
- If they share some, it is something between: the first half of a matrix product, for one.

An operator is a join: \`a * b\` is \`join(a, b, f(x, y)(x * y))\`.`,
    exercise: {
      id: "tour-join",
      title: "What it costs",
      task: "Join prices and amounts: what is paid for each item by each customer?",
      inputs: {
        price: "tensor(item{}):{bread:3, milk:2}",
        bought: "tensor(customer{},item{}):{ann:{bread:1, milk:4}, bob:{bread:2}}",
      },
      others: { price: "tensor(item{}):{bread:5, milk:1}" },
      goal: "tensor(customer{},item{}):{ann:{bread:3, milk:8}, bob:{bread:6}}",
      start: "join(price, bought, f(p, n)(p + n))",
      solution: "join(price, bought, f(p, n)(p * n))",
      hint: "Bob bought no milk, so there is no such cell: it is absent from the result as well.",
    },
  },
  {
    section: "5.3.4",
    title: "merge",
    text: `\`merge(a, b, f(x, y)(…))\` has the cells of both tensors. The lambda decides only where both have one. The two must
have the same dimensions.

A join keeps what is in both, a merge what is in either: intersection and union.`,
    exercise: {
      id: "tour-merge",
      title: "Newer values win",
      task: "`update` has new values for some labels and adds others. Give the tensor after the update.",
      inputs: {
        stored: "tensor(key{}):{a:1, b:2, c:3}",
        update: "tensor(key{}):{b:20, d:40}",
      },
      others: { update: "tensor(key{}):{a:0}" },
      goal: "tensor(key{}):{a:1, b:20, c:3, d:40}",
      start: "merge(stored, update, f(old, new)(old))",
      solution: "merge(stored, update, f(old, new)(new))",
      hint: "The lambda need not use both of its parameters.",
    },
  },
  {
    section: "5.3.5",
    title: "rename",
    text: `\`rename(t, old, new)\` gives a dimension another name, and touches no cell.

A name says what joins with what, so renaming is how you say that something should *not* be matched cell by cell: \`t\` beside
\`rename(t, x, y)\` is all pairs of its cells.`,
    exercise: {
      id: "tour-rename",
      title: "Friends of friends",
      task: "`friend` is 1 where `a` knows `b`. Through how many people in between do two people know each other?",
      inputs: { friend: "tensor(a{},b{}):{ann:{bob:1, cid:1}, bob:{dan:1}, cid:{dan:1}}" },
      others: { friend: "tensor(a{},b{}):{x:{y:1}, y:{z:1}}" },
      goal: "tensor(a{},b{}):{ann:{dan:2}}",
      start: "rename(friend, b, between)",
      solution: "sum(rename(friend, b, between) * rename(friend, a, between), between)",
      hint: "From `a` to `between`, and from `between` to `b`; then add up along `between`.",
    },
  },
  {
    section: "5.3.6",
    title: "concat",
    text: `\`concat(a, b, dimension)\` puts one tensor behind the other along an indexed dimension. A tensor without that
dimension counts as one cell of it, so that numbers and vectors can be put together.

It is the one function of the language for which the order of its arguments says where things are.`,
    exercise: {
      id: "tour-concat",
      title: "A constant input",
      task: "Put a 1 before the cells of `features`, as models with a bias like it.",
      inputs: { features: "tensor(x[3]):[5, 6, 7]" },
      others: { features: "tensor(x[3]):[0, 0, 2]" },
      goal: "tensor(x[4]):[1, 5, 6, 7]",
      start: "concat(features, 1, x)",
      solution: "concat(1, features, x)",
      hint: "What is written first comes first.",
    },
  },
  {
    section: "5.3.7",
    title: "tensor",
    text: `\`tensor(x[3],y[2])(…)\` makes a tensor of a type and an expression. It is computed for each address, and the names of
the dimensions are the indexes: \`tensor(x[3])(x * x)\` is 0, 1, 4.

The expression may read other tensors at computed positions, so whatever moves cells around can be said with it.`,
    exercise: {
      id: "tour-generate",
      title: "Chessboard",
      task: "Make a board of 3 by 3: 1 where the sum of both indexes is even, otherwise 0.",
      inputs: {},
      goal: "tensor(x[3],y[3]):[[1, 0, 1], [0, 1, 0], [1, 0, 1]]",
      start: "tensor(x[3],y[3])(x + y)",
      solution: "tensor(x[3],y[3])((x + y) % 2 == 0)",
      hint: "`%` is the remainder of a division, and a comparison is 1 or 0.",
      without: ["literal"],
    },
  },
  {
    section: "5.3.8",
    title: "slice",
    text: `\`t{name:foo}\` has the cells of \`t\` at a label, and no longer that dimension. Several dimensions may be named:
\`t{name:foo, x:1}\` is a single cell.

A name that stands there is a label. An expression, such as an index to be computed, stands in parentheses: \`t{x:(n - 1)}\`.
With one indexed dimension, \`t[n - 1]\` is short for it.`,
    exercise: {
      id: "tour-slice",
      title: "One row, another column",
      task: "In the row of `bee`, multiply the cell at `x:1` by the one at `x:2`.",
      inputs: { table: "tensor(name{},x[3]):{ant:[1, 2, 3], bee:[4, 5, 6]}" },
      others: { table: "tensor(name{},x[3]):{bee:[1, 0.5, 8]}" },
      goal: "30",
      start: "table{name:bee, x:1}",
      solution: "table{name:bee, x:1} * table{name:bee, x:2}",
      hint: "Two slices are two numbers, and numbers can be multiplied.",
    },
  },
  {
    section: "5.3.9",
    title: "Literals with expressions",
    text: `A literal may compute its cells. This is how separate numbers become one tensor, which is what a model wants to have.`,
    exercise: {
      id: "tour-literal-expressions",
      title: "Features in a row",
      task: "Make a vector along `x` of three features: `price`, its logarithm to base 10, and whether it is above 50.",
      inputs: { price: "100" },
      others: { price: "10" },
      goal: "tensor(x[3]):[100, 2, 1]",
      start: "tensor(x[2]):[price, log10(price)]",
      solution: "tensor(x[3]):[price, log10(price), price > 50]",
      hint: "Mind the size in the type.",
    },
  },
];
