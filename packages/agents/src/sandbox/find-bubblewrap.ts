import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SandboxSupport } from "@skein/contracts";
import { createSystemCallFilter } from "./system-call-filter.ts";

/** What every sandbox has of its own. No process in it may create another user namespace, where it would have rights again. */
export const namespaces = [
  ...["--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"],
  ...["--cap-drop", "ALL"],
];

/** Only folders of the system: an agent may be able to write to others on PATH. */
const folders = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];
const attemptMs = 10_000;

/** The path of the program `bwrap`; undefined if it is not installed. */
export function findBubblewrap(): string | undefined {
  return folders
    .map((folder) => join(folder, "bwrap"))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

let support: Promise<SandboxSupport> | undefined;

/** Tries to start a sandbox. A success is remembered; a failure is checked again, because the user may have fixed its cause. */
export async function checkSandboxSupport(): Promise<SandboxSupport> {
  support ??= trySandbox();
  const result = await support;
  if (result.state !== "supported") support = undefined;
  return result;
}

async function trySandbox(): Promise<SandboxSupport> {
  if (process.platform !== "linux" || createSystemCallFilter() === undefined) return { state: "system" };
  const program = findBubblewrap();
  if (program === undefined) return { state: "not-installed" };
  try {
    await promisify(execFile)(program, [...namespaces, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"], {
      timeout: attemptMs,
    });
    return { state: "supported" };
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    return { state: "not-permitted", detail: stderr.trim() || message };
  }
}
