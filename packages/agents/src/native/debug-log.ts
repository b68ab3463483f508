import { appendFileSync } from "node:fs";
import type { RequestLogger } from "@skein/engine";

/**
 * Appends timestamped debug lines to a file that only the user can read. Synchronous: the lines before a crash matter most. Write errors
 * are ignored.
 */
export function createDebugLog(file: string, now: () => number): RequestLogger {
  let isBroken = false;
  return {
    debug(message, details) {
      if (isBroken) return;
      const suffix = details === undefined ? "" : ` ${JSON.stringify(details)}`;
      try {
        appendFileSync(file, `${new Date(now()).toISOString()} ${message}${suffix}\n`, { mode: 0o600 });
      } catch {
        isBroken = true;
      }
    },
  };
}
