import { currentOutput } from "./step-output.mjs";

/** "850 ms", "12.3 s", "2 min 5 s" */
export function formatDuration(ms) {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** Prints that `work` is running, so that a silent minute does not look like a hang, and then how long it took. */
export async function withProgress({ doing, done }, work) {
  const startedAt = performance.now();
  const elapsed = () => formatDuration(performance.now() - startedAt);
  const output = currentOutput();
  output.write(`${doing} …\n`);
  const timer = setInterval(() => output.write(`  … ${elapsed()}\n`), 10_000);
  try {
    const result = await work();
    output.write(`${done} in ${elapsed()}\n`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
