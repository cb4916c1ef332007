// A pool of workers, each of which compiles a program once and runs it for whoever asks. Tensors cross the border as plain data,
// whose arrays are moved and not copied, and errors with all of their problems.
// (For one large program, `startThreads` shares the work of a single run among threads; see README.md.)

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { compile, parseType, receiveError, SphexError, Tensor } from "sphex";

if (isMainThread) await ask();
else serve();

/** The worker: takes inputs, and posts a result or an error. */
function serve() {
  const prepared = compile(workerData).prepare();
  parentPort.on("message", ({ id, inputs }) => {
    try {
      const result = prepared.run(inputs).toTransferable();
      parentPort.postMessage({ id, result }, [result.data.buffer]);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      parentPort.postMessage({ id, error: error.toTransferable() });
    }
  });
}

/** A pool for one program. */
function poolOf(text, count) {
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL(import.meta.url), { workerData: text }),
  );
  const waiting = new Map();
  for (const worker of workers)
    worker.on("message", ({ id, result, error }) => {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) resolve(result);
      else reject(receiveError(error));
    });
  let next = 0;
  return {
    run: (inputs) =>
      new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject });
        workers[id % count].postMessage({ id, inputs });
      }),
    stop: () => Promise.all(workers.map((worker) => worker.terminate())),
  };
}

async function ask() {
  const pool = poolOf("input q: tensor(x[3])\nsum(q * q)", 2);
  const vectors = [1, 2, 3].map((each) => Tensor.from(parseType("tensor(x[3])"), [each, each, each]));
  const squares = await Promise.all(vectors.map((q) => pool.run({ q: q.toTransferable() })));
  for (const { data } of squares) console.log(data[0]);
  const failed = await pool.run({ q: [1, 2] }).catch((error) => error);
  console.log(failed instanceof SphexError, failed.problems[0].code);
  await pool.stop();
}

//> 3
//> 12
//> 27
//> true value/size
