import { setFlagsFromString } from "node:v8";

const optimizers = ["opt", "maglev"];
/** A start that takes longer, such as one that has to migrate, gains from optimized code. */
const longestMs = 3000;

/**
 * Starts without V8's optimizing compilers: what runs often in a start, such as the construction of schemas, never runs again, and
 * the compilers' own pages are 5 MB of an idle server. Returns the function that switches them on, for when the server is ready.
 */
export function postponeOptimization(): () => void {
  for (const name of optimizers) setFlagsFromString(`--no-${name}`);
  const optimize = (): void => {
    clearTimeout(timer);
    for (const name of optimizers) setFlagsFromString(`--${name}`);
  };
  const timer = setTimeout(optimize, longestMs).unref();
  return optimize;
}
