// Asks one route again and again, one request after the other on one connection, as a browser at work, and reports how long each took:
// `{ ms, ofServer }`. The second is without the time in which the server's thread or this one was ready and had no processor: what
// else the machine does would otherwise decide the p99. A thread of its own, so that the benchmark's work is no part of the waits.
import { Agent, request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { readRunDelayMs } from "./run-delay.mjs";

const pauseBetweenRequestsMs = 20;
const { url, headers, pid } = workerData;
const readDelays = () => readRunDelayMs(`${pid}/task/${pid}`) + readRunDelayMs("thread-self");
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let waits = [];

parentPort.on("message", () => {
  parentPort.postMessage(waits);
  waits = [];
});
for (;;) {
  waits.push(await askOnce());
  await delay(pauseBetweenRequestsMs);
}

function askOnce() {
  return new Promise((resolve, reject) => {
    const [startedAt, delayedBefore] = [performance.now(), readDelays()];
    const sent = httpRequest(url, { agent, headers }, (response) => {
      response.resume().once("end", () => {
        const ms = performance.now() - startedAt;
        resolve({ ms, ofServer: Math.max(0, ms - (readDelays() - delayedBefore)) });
      });
    });
    sent.once("error", reject).end();
  });
}
