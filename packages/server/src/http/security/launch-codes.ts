import { createSecret } from "../../browser-secret.ts";
import { equalsInConstantTime } from "./constant-time.ts";

/** How long a launch code can be redeemed. */
export const launchCodeLifetimeMs: number = 10 * 60 * 1000;
const maxOpenCodes = 100;

export interface LaunchCodes {
  create(): string;
  /** Returns true once per code. */
  redeem(code: string): boolean;
}

/** Kept in memory only: a restart invalidates every open code. */
export function createLaunchCodes(options: { now: () => number }): LaunchCodes {
  let open: { code: string; expiresAt: number }[] = [];
  return {
    create() {
      const code = createSecret("launch");
      open = [...open.slice(-(maxOpenCodes - 1)), { code, expiresAt: options.now() + launchCodeLifetimeMs }];
      return code;
    },
    redeem(code) {
      const now = options.now();
      open = open.filter((entry) => entry.expiresAt > now);
      // compare every code: stopping at the first match would reveal which one it was
      const matches = open.filter((entry) => equalsInConstantTime(entry.code, code));
      open = open.filter((entry) => !matches.includes(entry));
      return matches.length > 0;
    },
  };
}
