/**
 * The composite functions, written in the language. Terse, ordered by topic, one sensible meaning each: a sentence, an
 * example with its value behind `>`, and the definition on one line. Expressions stay as naive as in a textbook: what is
 * written twice is computed once.
 */
export const preludeText = `
# Vectors

# t scaled so that its cells sum to 1 along d.
#   l1_normalize(tensor(x[2]):[1,3], x)  >  tensor(x[2]):[0.25, 0.75]
l1_normalize(t, d) = t / sum(t, d)

# t scaled to length 1 along d; NaN where all of it is 0.
#   l2_normalize(tensor(x[2]):[3,4], x)  >  tensor(x[2]):[0.6, 0.8]
l2_normalize(t, d) = t / sqrt(sum(map(t, f(x)(x * x)), d))

# The straight-line distance of a and b along d.
#   euclidean_distance(tensor(x[2]):[0,0], tensor(x[2]):[3,4], x)  >  tensor():{5.0}
euclidean_distance(a, b, d) = sqrt(sum(map(a - b, f(x)(x * x)), d))

# The cosine of the angle of a and b along d; NaN where all of one is 0.
#   cosine_similarity(tensor(x[2]):[3,4], tensor(x[2]):[4,3], x)  >  tensor():{0.96}
cosine_similarity(a, b, d) = sum(a * b, d) / sqrt(sum(a * a, d) * sum(b * b, d))

# Matrices and models

# The product of a and b, summed along their shared dimension d.
#   matmul(tensor(x[2]):[1,2], tensor(x[2],y[2]):[[1,2],[3,4]], x)  >  tensor(y[2]):[7.0, 10.0]
matmul(a, b, d) = sum(a * b, d)

# The product of x and the weights w along d, with the bias b added.
#   xw_plus_b(tensor(x[2]):[1,2], tensor(x[2],y[2]):[[1,2],[3,4]], tensor(y[2]):[10,20], x)  >  tensor(y[2]):[17.0, 30.0]
xw_plus_b(x, w, b, d) = sum(x * w, d) + b

# The exponentials of t, scaled to sum to 1 along d; NaN where one is infinite, above 88 for floats, 709 for doubles.
#   softmax(tensor(x[2]):[0,0], x)  >  tensor(x[2]):[0.5, 0.5]
softmax(t, d) = exp(t) / sum(exp(t), d)

# Shapes

# t with one more dimension d, of size 1.
#   expand(tensor(x[2]):[1,2], y)  >  tensor(x[2],y[1]):[[1.0], [2.0]]
expand(t, d) = tensor<int8>(d[1])(1) * t

# The numbers from 0 to n - 1 along dimension i.
#   range(3)  >  tensor(i[3]):[0.0, 1.0, 2.0]
range(n) = tensor(i[n])(i)

# Ones where dimensions i and j have the same index, zeros elsewhere.
#   diag(2, 2)  >  tensor(i[2],j[2]):[[1.0, 0.0], [0.0, 1.0]]
diag(n1, n2) = tensor(i[n1],j[n2])(if(i == j, 1.0, 0.0))

# Cells

# The n cells of the sparse tensor t with the highest values; of equal ones the first in the order of labels.
#   top(2, tensor(k{}):{a:5,b:1,c:3})  >  tensor(k{}):{a:5.0, c:3.0}
top(n, t) = t * filter_subspaces(cell_order(t, max) < n, f(s)(s))

# a where c is not 0, otherwise b: a choice for each cell that all three have.
#   where(tensor(x[2]):[1,0], tensor(x[2]):[1,2], tensor(x[2]):[3,4])  >  tensor(x[2]):[1.0, 4.0]
where(c, a, b) = join(c, a, f(p,q)(if(p != 0, q, -0))) + join(c, b, f(p,q)(if(p != 0, -0, q)))

# The remainder of each cell of t divided by c, with the sign of the cell.
#   mod(tensor(x[2]):[7,-7], 3)  >  tensor(x[2]):[1.0, -1.0]
mod(t, c) = fmod(t, c)

# Training

# A step of gradient descent: w moved against its gradient g by a rate, in the cells of both.
#   sgd(1, 2, 0.1)  >  tensor():{0.8}
sgd(w, g, rate) = w - rate * g

# What is left of m by a decay, and g: the sum of gradients that wanes, from nothing on.
#   momentum(tensor(k{}):{a:1}, tensor(k{}):{a:2, b:3}, 0.5)  >  tensor(k{}):{a:2.5, b:3.0}
momentum(m, g, decay) = merge(decay * m, g, f(p,q)(p + q))

# The average of m and g, in which m counts as much as the decay says.
#   moving_average(1, 3, 0.75)  >  tensor():{1.5}
moving_average(m, g, decay) = momentum(m, (1 - decay) * g, decay)

# A step of w against its gradient g, in each cell by the root of v: what Adagrad and RMSProp do.
#   scaled_step(1, 2, 4, 0.5)  >  tensor():{0.5000000025}
scaled_step(w, g, v, rate) = w - rate * g / (sqrt(v) + 0.00000001)

# A step of Adam: the n-th, with the moving averages m of the gradient by 0.9 and v of its square by 0.999.
#   adam(1, 0, 4, 1, 0.5)  >  tensor():{1.0}
adam(w, m, v, n, rate) = w - rate / (1 - 0.9 ^ n) * m / (sqrt(v) * (1 - 0.999 ^ n) ^ -0.5 + 1e-8)

# How good predictions are

# The share of predictions p that are on the side of 0.5 on which y is; NaN where one of them is.
#   accuracy(tensor(x[2]):[0.9,0.2], tensor(x[2]):[1,1])  >  tensor():{0.5}
accuracy(p, y) = avg(((p > 0.5) == (y > 0.5)) + 0 / (p == p) + 0 / (y == y))

# How many cells along d are larger, from 0 on; equal ones share the mean of their ranks. Nothing is larger than NaN, or equal: -0.5.
#   descending_rank(tensor(x[3]):[5,9,5], x)  >  tensor(x[3]):[1.5, 0.0, 1.5]
descending_rank(t, d) = 0.5 * (sum(rename(t, d, _o) > t, _o) + sum(rename(t, d, _o) >= t, _o)) - 0.5

# How often a score s is higher where y is above 0.5 than where it is not, along d: the area under the ROC curve. Equal scores count half, and
# cells that only one of the two has not at all. NaN where all y are on one side, and where one of s or y is.
#   auc(tensor(x[3]):[0.9,0.5,0.1], tensor(x[3]):[1,0,1], x)  >  tensor():{0.5}
auc(s, y, d) = rank_auc(s + 0 / (y == y), y + 0 / (s == s), d)

# The same of scores and labels that have the same cells, by ranks.
#   rank_auc(tensor(x[3]):[0.9,0.5,0.1], tensor(x[3]):[1,0,0], x)  >  tensor():{1.0}
rank_auc(s, y, d) = 0.5 + rank_gap(s, (y > 0.5) / (y == y && s == s), d) / count(s, d)

# How much lower the mean rank along d of scores s is where c is 1 than where it is 0; NaN where it is so nowhere.
#   rank_gap(tensor(x[3]):[0.9,0.5,0.1], tensor(x[3]):[1,0,0], x)  >  tensor():{1.5}
rank_gap(s, c, d) = sum(descending_rank(s, d) * (l1_normalize(1 - c, d) - l1_normalize(c, d)), d)

# What the place of each cell in the descending order of t along d is worth: 1 of the first, less the more come before; equal cells in their order.
#   discount(tensor(x[2]):[5,9], x)  >  tensor(x[2]):[0.6309297535714575, 1.0]
discount(t, d) = log(2) / log(2 + sum(rename(cell_order(t, max), d, _o) < cell_order(t, max), _o))

# The sum of y over the cells along d whose s is equal; a cell that y lacks counts as 0.
#   tied_sum(tensor(x[3]):[5,9,5], tensor(x[3]):[1,2,3], x)  >  tensor(x[3]):[4.0, 2.0, 4.0]
tied_sum(s, y, d) = sum(where(rename(s, d, _o) == s, rename(y, d, _o), 0), _o)

# The mean of y over the cells along d whose s is equal; a cell that y lacks counts as 0.
#   tied_mean(tensor(x[3]):[5,9,5], tensor(x[3]):[1,2,3], x)  >  tensor(x[3]):[2.0, 2.0, 2.0]
tied_mean(s, y, d) = tied_sum(s, y, d) / tied_sum(s, map(s, f(x)(1)), d)

# What the order that the scores s make of the relevances y is worth: each gains 2^y - 1, nothing below 0, and less, the more come before it
# along d. Of equal scores the mean of all orders; what s lacks gains nothing.
#   dcg(tensor(x[2]):[1,2], tensor(x[2]):[2,1], x)  >  tensor():{2.8927892607143724}
dcg(s, y, d) = sum(discount(s, d) * tied_mean(s, 2 ^ max(y, 0) - 1, d), d)

# The same, as a share of what the best order is worth; NaN where nothing is relevant.
#   ndcg(tensor(x[2]):[1,2], tensor(x[2]):[1,0], x)  >  tensor():{0.6309297535714575}
ndcg(s, y, d) = dcg(s, y, d) / dcg(y, y, d)
`;
