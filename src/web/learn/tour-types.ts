import type { TourStep } from "./exercise.js";

/** What a tensor is: sections 1 to 5.2. */
export const typeSteps: readonly TourStep[] = [
  {
    section: "1",
    title: "One construct",
    text: `A number, a vector, a matrix, a table of words: all of these are *tensors*, and one language computes with them.

Most tensor libraries know a dimension by its position, and have thousands of functions that say which positions they mean.
In this language a dimension has a *name*. \`hours\`, with which the task begins, has one for days and one for people; a
function is told a name, and needs nothing else.`,
    exercise: {
      id: "tour-names",
      title: "Say it by name",
      task: "`hours` has the hours that two people worked on three days. Add up the days, so that the people are left.",
      inputs: { hours: "tensor(person{},day[3]):{ann:[8, 6, 7], bob:[4, 8, 0]}" },
      others: { hours: "tensor(person{},day[3]):{cid:[1, 2, 3]}" },
      goal: "tensor(person{}):{ann:21, bob:12}",
      start: "sum(hours, person)",
      solution: "sum(hours, day)",
      hint: "The dimension that is named in `sum` is the one that disappears.",
    },
  },
  {
    section: "5.1",
    title: "Types",
    text: `A *tensor type* has a set of dimensions and a type of its cells. Each dimension is of one of two kinds.

- \`x[3]\` is *indexed*: its labels are 0, 1 and 2, and there is a cell for every one of them.
- \`name{}\` is *mapped*: its labels are any texts, and only those that a tensor happens to have.

\`tensor<float>(name{},x[2])\` is a map from names to vectors of two floats. Cells are doubles unless the type says
otherwise. A type without dimensions, \`tensor()\`, is that of a number.

The type of every expression is known before it is computed. That is how the page can underline a mistake while you type.`,
    exercise: {
      id: "tour-types",
      title: "A type with both kinds",
      task: "Give each `name` a vector along `x`, by multiplying the two tensors. Their dimensions differ, so both stay.",
      inputs: {
        weights: "tensor(name{}):{foo:1, bar:10}",
        vector: "tensor(x[2]):[3, 4]",
      },
      others: { vector: "tensor(x[2]):[0, 1]" },
      goal: "tensor(name{},x[2]):{foo:[3, 4], bar:[30, 40]}",
      start: "weights",
      solution: "weights * vector",
      hint: "`*` is all it takes.",
    },
  },
  {
    section: "5.2",
    title: "Tensors",
    text: `A tensor is its type and its cells, and is written so:

    tensor(x[2],y[3]):[[1, 2, 3], [4, 5, 6]]
    tensor(name{}):{foo:2, bar:5}
    tensor(name{},x[2]):{foo:[1, 2], bar:[3, 4]}

Every form can also be written with the full address of each cell: \`{{name:foo, x:0}:1, …}\`. A cell that is not written
does not exist. It is not 0: there is nothing at all, and functions pass over it.`,
    exercise: {
      id: "tour-literals",
      title: "Write a tensor",
      task: "Write a tensor with a mapped dimension `fruit`, in which `apple` has `price`, and `pear` twice that.",
      inputs: { price: "3" },
      others: { price: "5" },
      goal: "tensor(fruit{}):{apple:3, pear:6}",
      start: "tensor(fruit{}):{apple:3}",
      solution: "tensor(fruit{}):{apple:price, pear:2 * price}",
      hint: "A cell of a literal may be an expression.",
    },
  },
];
