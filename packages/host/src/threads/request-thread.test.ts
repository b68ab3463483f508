import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { createRequestThread } from "./request-thread.ts";

const answering = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ id, request }) => parentPort.postMessage({ id, result: request.text }));
`;
const failing = `throw Object.assign(new Error("no more files"), { code: "EMFILE" });`;

it("[Q16] a thread that fails answers its requests with the reason, and the next request starts another one", async () => {
  const programs = [failing, answering];
  const thread = createRequestThread<{ text: string }, string>({
    start: () => new Worker(programs.shift() ?? "", { eval: true }),
    toFailure: ({ code, message }) => `failed: ${code} ${message}`,
  });
  expect(await thread.call({ text: "first" })).toBe("failed: EMFILE no more files");
  expect(await thread.call({ text: "second" })).toBe("second");
  expect(await thread.call({ text: "third" })).toBe("third");
});
