// Requests one route repeatedly, one request after the other on one connection, as a browser does, and reports how long each took:
// `{ ms, ofServer }`. The second excludes the time in which the server's thread or this one was ready but had no processor: what
// else the machine does would otherwise dominate the p99. A separate thread, so that the benchmark's own work does not count.
import { Agent, request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { readRunDelayMs } from "./run-delay.mjs";

const { url, headers, pid, pauseMs } = workerData;
const readDelays = () => readRunDelayMs(`${pid}/task/${pid}`) + readRunDelayMs("thread-self");
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let waits = [];

parentPort.on("message", () => {
  parentPort.postMessage(waits);
  waits = [];
});
for (;;) {
  waits.push(await askOnce());
  await delay(pauseMs);
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
