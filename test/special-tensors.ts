/**
 * Tensors of the names and shapes that random expressions are made for, with the numbers on which ways of computing may
 * part: NaN, infinities, zeros of both signs, the smallest and the largest numbers of each cell type; without any cell,
 * and with dimensions of size 1.
 */
export const specialTensors = {
  s: "tensor():{2}",
  a: "tensor(x[3]):[NaN,-0.0,Infinity]",
  b: "tensor(x[3],y[2]):[[5e-324,-Infinity],[0.0,-1],[1.7976931348623157e308,NaN]]",
  k: "tensor(k{}):{p:-0.0,q:NaN,r:-Infinity}",
  m: "tensor(k{},x[3]):{p:[1,0,-3],s:[NaN,Infinity,-0.0]}",
  n: "tensor<float>(j{},k{}):{{j:u,k:p}:1e-45,{j:v,k:q}:3.4028235e38}",
  c: "tensor<int8>(x[3]):[127,-128,1]",
  h: "tensor<bfloat16>(y[2]):[NaN,-Infinity]",
  u: "tensor(x[]):[NaN]",
  v: "tensor<half>(k{},y[]):{{k:p,y:0}:65504,{k:p,y:1}:-0.0,{k:p,y:2}:5.960464477539063e-8}",
  e: "tensor(k{}):{}",
  o: "tensor<float>(x[3],z[1]):[[1.5],[NaN],[-2.25]]",
} as const;
