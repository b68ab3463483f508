import { existsSync } from "node:fs";
import { runCommand } from "./run-command.mjs";

/** Whether packages can be installed with apt-get, by this user. */
export const canUseApt = () => process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

let previous = Promise.resolve();

/** One at a time: apt-get does not wait for another one's lock. */
export function runApt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const run = () => runCommand("/usr/bin/apt-get", args, { env, output: "keep" });
  previous = previous.then(run);
  return previous;
}
