import type { TourStep } from "./exercise.js";

/** What can be said with these functions: section 6. */
export const modelSteps: readonly TourStep[] = [
  {
    section: "6",
    title: "Names instead of order",
    text: `Ordinary matrix products depend on the order of their sides, since dimensions are known by position. With names,
\`a * b\` is \`b * a\`, and \`sum(a * b, y)\` is the matrix product whichever comes first.

One more join gives one more factor. Which pair is multiplied first is nobody's concern but the machine's, which may
choose what is cheapest.`,
    exercise: {
      id: "tour-order",
      title: "A chain of products",
      task: "Multiply the matrices `a`, `b` and `c`. The result has the outer dimensions, `w` and `z`.",
      inputs: {
        a: "tensor(w[1],x[2]):[[1, 2]]",
        b: "tensor(x[2],y[2]):[[1, 0], [2, 1]]",
        c: "tensor(y[2],z[2]):[[0, 1], [3, 0]]",
      },
      others: { b: "tensor(x[2],y[2]):[[0, 1], [1, 0]]" },
      goal: "tensor(w[1],z[2]):[[6, 5]]",
      start: "sum(c * a * b, y)",
      solution: "sum(c * a * b, x, y)",
      hint: "A reduction takes as many dimensions as you like.",
    },
  },
  {
    section: "6.1",
    title: "Functions made of functions",
    text: `Table 1 of the paper defines the usual functions in those that you have seen. \`matmul\` is a join and a sum; a softmax
is a map, a sum and a join. Nothing has to be added to the language for them, and nothing that computes the six core
functions has to hear of them.`,
    exercise: {
      id: "tour-table",
      title: "A line of Table 1",
      task: "`l2_normalize(t, x)` divides `t` by the root of the sum of its squares along `x`. Write that for the rows of `t`, without the function.",
      inputs: { t: "tensor(k{},x[2]):{a:[3, 4], b:[0, 2]}" },
      others: { t: "tensor(k{},x[2]):{c:[8, 6]}" },
      goal: "tensor(k{},x[2]):{a:[0.6, 0.8], b:[0, 1]}",
      start: "l2_normalize(t, x)",
      solution: "t / sqrt(sum(t * t, x))",
      hint: "The lengths have only `k`, and join with their rows.",
      without: ["l2_normalize"],
    },
  },
  {
    section: "6.2",
    title: "A neural network",
    text: `The first model of the paper has one hidden layer. Its input is a vector, each layer a product with weights, a bias and a
function that bends the line: \`relu\` in the middle, \`sigmoid\` at the end, which makes a probability of any number.

Here is a tiny one: its hidden cells are there, and the last layer is yours.`,
    exercise: {
      id: "tour-network",
      title: "The final layer",
      task: "Multiply `hidden` by `finalWeights`, add up along `h`, add `finalBias`, and take the `sigmoid`.",
      inputs: {
        pixels: "tensor(input[2]):[1, 1]",
        hiddenWeights: "tensor(input[2],h[2]):[[1, 1], [1, 1]]",
        hiddenBias: "tensor(h[2]):[0, -1]",
        hidden: "relu(sum(pixels * hiddenWeights, input) + hiddenBias)",
        finalWeights: "tensor(h[2],final[1]):[[1], [-2]]",
        finalBias: "tensor(final[1]):[0]",
      },
      others: { pixels: "tensor(input[2]):[1, 0.25]", finalBias: "tensor(final[1]):[0.75]" },
      goal: "tensor(final[1]):[0.5]",
      start: "sum(hidden * finalWeights, h)",
      solution: "sigmoid(sum(hidden * finalWeights, h) + finalBias)",
      hint: "The hidden cells are 2 and 1, so their sum with the weights 1 and -2 is 0, and the sigmoid of 0 is a half.",
    },
  },
  {
    section: "6.2",
    title: "A sparse regression",
    text: `The second model has a weight for each *combination* of a topic, an interest and a location. There could be billions of
combinations; a tensor has a cell only for those that were learned.

The join of four sparse tensors has a cell only where all of them do. What the model computes is what the data has, and no
more.`,
    exercise: {
      id: "tour-regression",
      title: "Combine and weigh",
      task: "Join `topics`, `interests` and `locations`, weigh each combination with `learned`, and add up everything.",
      inputs: {
        topics: "tensor(topic{}):{sports:0.5, politics:1}",
        interests: "tensor(interest{}):{football:2, elections:1}",
        locations: "tensor(location{}):{oslo:1}",
        learned:
          "tensor(topic{},interest{},location{}):{sports:{football:{oslo:3, rome:9}}, politics:{elections:{oslo:2}, chess:{oslo:7}}}",
      },
      others: {
        topics: "tensor(topic{}):{sports:2, politics:3}",
        interests: "tensor(interest{}):{football:0.5, elections:3}",
        locations: "tensor(location{}):{oslo:4}",
      },
      goal: "5",
      start: "topics * interests * locations",
      solution: "sum(topics * interests * locations * learned)",
      hint: "The paper's own expression has just these four factors.",
    },
  },
];
