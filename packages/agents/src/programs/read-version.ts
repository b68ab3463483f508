import { execFile } from "node:child_process";
import type { VersionProblem } from "@skein/contracts";

const timeoutSeconds = 15;

/** The version of a program, or why it did not report one. */
export type VersionReading = { version: string } | { problem: VersionProblem };

/** Runs a program with `--version`. Some are slow on their first start: the time limit is 15 seconds. Never rejects. */
export function readVersion(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): Promise<VersionReading> {
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const options = { timeout: timeoutSeconds * 1000, killSignal: "SIGKILL", env: { ...environment }, maxBuffer: 1_000_000 } as const;
    const child = execFile(program, [...args, "--version"], options, (error, stdout, stderr) => {
      const version = /\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?/.exec(stdout)?.[0];
      if (error === null && version !== undefined) resolve({ version });
      else if (error?.killed) resolve({ problem: { code: "version-timed-out", seconds: timeoutSeconds } });
      else resolve({ problem: toProblem(stderr || stdout || error?.message || "") });
    });
    child.stdin?.end();
  });
}

/** The first line of the program's output, as part of a sentence. */
function toProblem(text: string): VersionProblem {
  const [first = ""] = text.trim().split("\n");
  return first.replace(/^Error: /, "").replace(/\.$/, "") || { code: "version-not-reported" };
}

/** True when `version` is `least` or newer: `2.1.10` is newer than `2.1.9`. */
export function isAtLeast(version: string, least: string): boolean {
  const numbers = (text: string): number[] => text.split("-", 1)[0]?.split(".").map(Number) ?? [];
  const [own, wanted] = [numbers(version), numbers(least)];
  for (let i = 0; i < wanted.length; i++) {
    const difference = (own[i] ?? 0) - (wanted[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
