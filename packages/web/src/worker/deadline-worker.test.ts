import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDeadlineWorker, type WorkerLike } from "./deadline-worker.ts";

/** Echoes; needs a while before it starts; counts to for ever; or dies. */
const program = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", async (request) => {
    if (request === "load") await new Promise((done) => setTimeout(done, 600));
    parentPort.postMessage({ kind: "started" });
    if (request === "hang") for (;;);
    if (request === "die") setImmediate(() => { throw new Error("died"); });
    if (request === "die") return;
    parentPort.postMessage({ kind: "answer", answer: request });
  });
  parentPort.postMessage({ kind: "ready" });
`;

function openThread(): WorkerLike {
  const thread = new Worker(program, { eval: true });
  onTestFinished(() => void thread.terminate());
  return {
    postMessage: (message) => thread.postMessage(message),
    terminate: () => void thread.terminate(),
    addEventListener: (type, listener) => void thread.on(type, (data) => listener({ data })),
  };
}

describe("createDeadlineWorker", () => {
  it("[X19] work that never ends is ended, and the requests behind it are answered", async () => {
    const worker = createDeadlineWorker<string, string>(openThread, 300);
    expect(await Promise.all(["a", "hang", "b", "die", "c"].map((request) => worker.run(request)))).toEqual(["a", null, "b", null, "c"]);
  });

  it("what a request needs to be loaded does not count against its deadline", async () => {
    const worker = createDeadlineWorker<string, string>(openThread, 300);
    expect(await Promise.all(["load", "a"].map((request) => worker.run(request)))).toEqual(["load", "a"]);
  });

  it("what is aborted before its turn is not started", async () => {
    const worker = createDeadlineWorker<string, string>(openThread, 60_000);
    const first = worker.run("a");
    const aborted = AbortSignal.abort();
    expect(await Promise.all([first, worker.run("hang", aborted), worker.run("b")])).toEqual(["a", null, "b"]);
  });
});
