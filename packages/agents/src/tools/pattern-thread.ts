import { parentPort, workerData } from "node:worker_threads";

// Run as a thread of its own: a pattern that never comes to an end stops this thread and nothing else.
const regex = new RegExp(String(workerData));
parentPort?.on("message", (text: string) => {
  const lines: number[] = [];
  for (const [index, line] of text.split("\n").entries()) if (regex.test(line)) lines.push(index);
  parentPort?.postMessage(lines);
});
