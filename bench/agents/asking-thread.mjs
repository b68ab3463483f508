// Asks one route again and again, one request after the other on one connection, as a browser at work, and reports how long each took.
// A thread of its own: what the benchmark does meanwhile would otherwise be part of the waits.
import { Agent, request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const pauseBetweenRequestsMs = 20;
const { url, headers } = workerData;
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
    const startedAt = performance.now();
    const sent = httpRequest(url, { agent, headers }, (response) => {
      response.resume().once("end", () => resolve(performance.now() - startedAt));
    });
    sent.once("error", reject).end();
  });
}
