/** The functions that are composed of others, as section 5.3 of the language expands them; Table 1 of the Paper has the rest. */
export const prelude = `
l1_normalize(t, d) = join(t, reduce(t, sum, d), f(x,y)(x / y));
l2_normalize(t, d) = join(t, map(reduce(map(t, f(x)(x * x)), sum, d), f(x)(sqrt(x))), f(x,y)(x / y));
euclidean_distance(a, b, d) =
  map(reduce(map(join(a, b, f(x,y)(x - y)), f(x)(x * x)), sum, d), f(x)(sqrt(x)));
dot(p, q, d) = reduce(join(p, q, f(x,y)(x * y)), sum, d);
cosine_similarity(a, b, d) =
  join(dot(a, b, d), map(join(dot(a, a, d), dot(b, b, d), f(x,y)(x * y)), f(x)(sqrt(x))), f(x,y)(x / y));
matmul(a, b, d) = dot(a, b, d);
xw_plus_b(x, w, b, d) = join(dot(x, w, d), b, f(x,y)(x + y));
softmax(t, d) = join(map(t, f(x)(exp(x))), reduce(map(t, f(x)(exp(x))), sum, d), f(x,y)(x / y));
expand(t, d) = join(tensor<int8>(d[1])(1), t, f(x,y)(x * y));
top(n, t) =
  join(t, filter_subspaces(join(cell_order(t, max), n, f(x,y)(x < y)), f(s)(s)), f(x,y)(x * y));
mod(t, c) = fmod(t, c);
range(n) = tensor(i[n])(i);
diag(n1, n2) = tensor(i[n1],j[n2])(i == j)
`;
