import { formatDuration } from "../setup/progress.mjs";

/**
 * Runs tasks `{ name, run(): Promise<{ code, tail }> }`, at most `limit` at a time, and prints one line for each as it
 * ends, followed by the output of a failed one, so outputs never mix. Returns whether all succeeded.
 */
export async function runInParallel(tasks, { limit }) {
  const waiting = [...tasks];
  let allWell = true;
  const worker = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const startedAt = performance.now();
      const { code, tail } = await task.run();
      const took = formatDuration(performance.now() - startedAt);
      console.log(`${code === 0 ? "✓" : "✗"} ${task.name}  ${took}`);
      if (code === 0) continue;
      allWell = false;
      console.log(`${tail.trim().replace(/^/gm, "    ")}\n`);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return allWell;
}
