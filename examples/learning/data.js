/**
 * The data of the programs in this folder, as JSON for `sphex train --data`: made up, and the same on every machine.
 *
 *     node examples/learning/data.js linear-regression > points.json
 */

/** Numbers from 0 up to 1, by a linear congruence. */
function* chance() {
  for (let state = 42; ; ) {
    state = (1664525 * state + 1013904223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}

let random = chance();
const next = () => random.next().value;
/** About normal: a sum of twelve even numbers. */
const normal = () => Array.from({ length: 12 }, next).reduce((sum, each) => sum + each, -6);
const rows = (count, row) => Array.from({ length: count }, (_, at) => row(at));
const dense = (type, cells) => `${type}:${JSON.stringify(cells)}`;

const users = ["ann", "bob", "cleo", "dan", "eve", "finn"];
const films = ["alien", "brazil", "casablanca", "dune", "eraserhead", "fargo", "gilda"];

const makers = {
  /** y = 2 a - 3 b + 0.5, and a little noise. */
  "linear-regression": () => {
    const points = rows(200, () => [normal(), normal()]);
    return {
      x: dense("tensor(feature[2],row[200])", [points.map(([a]) => a), points.map(([, b]) => b)]),
      y: dense(
        "tensor(row[200])",
        points.map(([a, b]) => 2 * a - 3 * b + 0.5 + 0.02 * normal()),
      ),
    };
  },
  /** Two arms of a spiral, one for each class. */
  "neural-network": () => {
    const points = rows(200, (at) => {
      const [arm, along] = [at % 2, 0.3 + (1.2 * at) / 200];
      const angle = 4 * along + Math.PI * arm;
      return { x: [along * Math.cos(angle), along * Math.sin(angle)], y: arm };
    });
    return {
      x: dense("tensor(input[2],row[200])", [points.map(({ x }) => x[0]), points.map(({ x }) => x[1])]),
      y: dense(
        "tensor(row[200])",
        points.map(({ y }) => y),
      ),
    };
  },
  /** Ratings by hidden tastes and styles of three numbers each; four out of five pairs were rated. */
  "matrix-factorisation": () => {
    const vectors = (labels) => new Map(labels.map((label) => [label, rows(3, () => normal())]));
    const [tastes, styles] = [vectors(users), vectors(films)];
    const pairs = users.flatMap((user) => films.map((film) => ({ user, film }))).filter(() => next() < 0.8);
    const dot = ({ user, film }) =>
      tastes.get(user).reduce((sum, each, at) => sum + each * styles.get(film)[at], 0);
    const indicator = (name, labels) => {
      const blocks = labels.map(
        (label) => `${label}:${JSON.stringify(pairs.map((pair) => Number(pair[name] === label)))}`,
      );
      return `tensor(${name}{},row[${pairs.length}]):{${blocks}}`;
    };
    return {
      user: indicator("user", users),
      film: indicator("film", films),
      rating: dense(`tensor(row[${pairs.length}])`, pairs.map(dot)),
    };
  },
  /**
   * Articles that queries found, as pyvespa's collector returns them: the better ones are those whose title has the words of the
   * query, which are near to it in meaning and new; the body tells little, and half of all readers click by chance.
   */
  ranking: () =>
    rows(60, (query) =>
      rows(12, (at) => {
        const [title, body, likeness, fresh] = [8 * next(), 20 * next(), next(), next()];
        const worth = 0.5 * title + 0.02 * body + 4 * likeness + 1.5 * fresh + 0.7 * normal();
        return {
          query_id: `q${query}`,
          doc_id: `d${12 * query + at}`,
          relevance_label: worth > 6.5 ? 2 : worth > 5 ? 1 : 0,
          relevance_score: 0,
          "match_bm25(title)": Number(title.toFixed(4)),
          "match_bm25(body)": Number(body.toFixed(4)),
          "match_closeness(field,embedding)": Number(likeness.toFixed(4)),
          "match_freshness(published)": Number(fresh.toFixed(4)),
        };
      }),
    ).flat(),
};

/** The inputs of a program by name: the same at each call. */
export function dataOf(program) {
  random = chance();
  return makers[program]();
}

const [, script = "", program = ""] = process.argv;
if (script.endsWith("data.js") && program in makers) console.log(JSON.stringify(dataOf(program)));
