import { setFlagsFromString } from "node:v8";

/**
 * The optimizing compilers: what runs often in a start, such as the construction of schemas, never runs again, and their own pages are
 * 5 MB of an idle server.
 */
const compilers = ["opt", "maglev"];
/**
 * Marks the whole heap: the modules of a start reach V8's first limit, and nearly nothing of them is garbage. An eighth of the processor
 * time of a start, which the first answers would wait for if it began when the server is ready.
 */
const marking = ["incremental-marking"];
const markAfterReadyMs = 2000;
/** A start that takes longer, such as one that has to migrate, gains from both. */
const longestMs = 3000;

/** Starts without the work of V8 that only pays off later. Returns a function to call when the server is ready. */
export function postponeEngineWork(): () => void {
  switchOff([...compilers, ...marking]);
  const timer = setTimeout(() => switchOn([...compilers, ...marking]), longestMs).unref();
  return () => {
    clearTimeout(timer);
    switchOn(compilers);
    setTimeout(() => switchOn(marking), markAfterReadyMs).unref();
  };
}

function switchOff(names: readonly string[]): void {
  for (const name of names) setFlagsFromString(`--no-${name}`);
}

function switchOn(names: readonly string[]): void {
  for (const name of names) setFlagsFromString(`--${name}`);
}
