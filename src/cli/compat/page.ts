/** What a browser sees that comes to the server itself: a few words, and nothing that has to be fetched. */
export const page = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<title>sphex serve</title>
<h1>sphex serve</h1>
<p>This answers the evaluation protocol of the tensor playground in Vespa's documentation.</p>
<pre>curl ${address}playground/eval --data-urlencode 'json=[
  {"cell": 0, "name": "a", "expr": "tensor(x[2]):[1,2]"},
  {"cell": 1, "name": "", "expr": "sum(a * a)", "verbose": true}]'</pre>
<p>Each cell may use the names of those before it. The answer is a list with the type and the value of each, or what is
wrong with it. A page of another site may ask only if it was named at the start: <code>--origin https://…</code>.</p>
`;
