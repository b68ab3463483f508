import { execFile } from "node:child_process";

const patienceMs = 15_000;

export type VersionReading = { version: string } | { problem: string };

/** Asks a program for its version. Programs that need long for their first answer are given time, but not for ever. */
export function readVersion(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): Promise<VersionReading> {
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const options = { timeout: patienceMs, killSignal: "SIGKILL", env: { ...environment }, maxBuffer: 1_000_000 } as const;
    const child = execFile(program, [...args, "--version"], options, (error, stdout, stderr) => {
      const version = /\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?/.exec(stdout)?.[0];
      if (error === null && version !== undefined) resolve({ version });
      else if (error?.killed) resolve({ problem: "it did not report its version within 15 seconds" });
      else resolve({ problem: toProblem(stderr || stdout || error?.message || "") });
    });
    child.stdin?.end();
  });
}

/** The line that says what is wrong, as part of a sentence. */
function toProblem(text: string): string {
  const [first = ""] = text.trim().split("\n");
  return first.replace(/^Error: /, "").replace(/\.$/, "") || "it did not report its version";
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
