import { readFileSync } from "node:fs";

/** Milliseconds that a thread was ready to run but had no processor. 0 where the system does not report it. */
export function readRunDelayMs(thread) {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
