import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { canOpenBrowser } from "../terminal/open-browser.ts";
import type { Check } from "./check.ts";

export function checkNode(version: string = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const enough = major > 22 || (major === 22 && minor >= 18);
  return {
    name: "Node",
    state: enough ? "ok" : "fail",
    finding: version,
    advice: enough ? undefined : "Skein needs 22.18 or newer: https://nodejs.org",
  };
}

/** `git worktree list -z`, whose output Skein parses, was added in 2.36. */
const oldestGit = [2, 36] as const;

export async function checkGit(command = "git"): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)(command, ["--version"], { timeout: 5_000 });
    const version = stdout.match(/\d+\.\d+(\.\d+)?/)?.[0] ?? stdout.trim();
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const enough = major > oldestGit[0] || (major === oldestGit[0] && minor >= oldestGit[1]);
    return {
      name: "git",
      state: enough ? "ok" : "warn",
      finding: version,
      advice: enough ? undefined : `Worktrees need ${oldestGit.join(".")} or newer; install a newer git.`,
    };
  } catch {
    return { name: "git", state: "fail", finding: "not found", advice: "Install git and make sure it is on PATH: https://git-scm.com" };
  }
}

/** `port`: of the server, if known. */
export function checkBrowser({ port }: { port: number | undefined }): Check {
  if (canOpenBrowser({ platform: process.platform, env: process.env, isTTY: true })) {
    return { name: "browser", state: "ok", finding: "opens automatically" };
  }
  return {
    name: "browser",
    state: "warn",
    finding: "none can be opened from here",
    advice: `Open the address that skein serve prints.${port === undefined ? "" : ` From another machine: ssh -L ${port}:127.0.0.1:${port} <this machine>`}`,
  };
}

/** Limits hold on every system; where the kernel enforces them, nothing can exceed them. */
export async function checkResourceLimits(): Promise<Check> {
  const { checkResourceSupport } = await import("@skein/host/resource-support");
  const name = "memory limits";
  if (checkResourceSupport() === "kernel") return { name, state: "ok", finding: "enforced by the kernel (cgroup v2)" };
  return {
    name,
    state: "ok",
    finding: "measured by Skein: a program that exceeds one is ended within about a second",
    advice:
      process.platform === "linux" ? "To let the kernel enforce them, start Skein below a systemd user session with cgroup v2." : undefined,
  };
}

/** Agents run without a sandbox, too: none is a warning. */
export async function checkSandbox(): Promise<Check> {
  const { checkSandboxSupport } = await import("@skein/host/sandbox-support");
  const support = await checkSandboxSupport();
  const name = "sandbox";
  switch (support.state) {
    case "supported":
      return { name, state: "ok", finding: "bubblewrap works" };
    case "system":
      return { name, state: "warn", finding: "not available", advice: "Sandboxes need Linux on x86-64 or ARM64." };
    case "not-installed":
      return {
        name,
        state: "warn",
        finding: "bubblewrap is not installed",
        advice: "Install it to run agents in a sandbox: sudo apt install bubblewrap",
      };
    case "not-permitted":
      return { name, state: "warn", finding: "bubblewrap may not create namespaces", advice: support.detail };
  }
}
