import { randomBytes } from "node:crypto";
import { equalsInConstantTime } from "./constant-time.ts";

const lifetimeMs = 10 * 60 * 1000;
const maxOpenCodes = 100;

export interface LaunchCodes {
  create(): string;
  /** True once per code: it is spent by being asked for. */
  redeem(code: string): boolean;
}

/** In memory only: a restart makes every open code worthless. */
export function createLaunchCodes(options: { now: () => number }): LaunchCodes {
  let open: { code: string; expiresAt: number }[] = [];
  return {
    create() {
      const code = randomBytes(32).toString("base64url");
      open = [...open.slice(-(maxOpenCodes - 1)), { code, expiresAt: options.now() + lifetimeMs }];
      return code;
    },
    redeem(code) {
      const now = options.now();
      open = open.filter((entry) => entry.expiresAt > now);
      // every open code is compared: stopping at the first match would tell which one it was
      const matches = open.filter((entry) => equalsInConstantTime(entry.code, code));
      open = open.filter((entry) => !matches.includes(entry));
      return matches.length > 0;
    },
  };
}
