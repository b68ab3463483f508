import { parentPort, workerData } from "node:worker_threads";
import type { PatternThreadData } from "./line-matcher.ts";

// Runs in its own thread: a pattern that never ends blocks only this thread.
const { source, progress } = workerData as PatternThreadData;
const regex = new RegExp(source);
parentPort?.on("message", (texts: string[]) => {
  const found = texts.map((text) => {
    Atomics.add(progress, 0, 1);
    const lines: number[] = [];
    for (const [index, line] of text.split("\n").entries()) if (regex.test(line)) lines.push(index);
    return lines;
  });
  parentPort?.postMessage(found);
});
