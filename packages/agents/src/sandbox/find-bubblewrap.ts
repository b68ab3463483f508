import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/** Whether this machine can run a sandbox. */
export type SandboxSupport =
  | { ok: true; program: string }
  | { ok: false; reason: "not-linux" | "not-installed" }
  | { ok: false; reason: "not-permitted"; detail: string };

/** What every sandbox has of its own. No process in it may create another user namespace, where it would have rights again. */
export const namespaces = [
  "--unshare-user",
  "--disable-userns",
  "--unshare-pid",
  "--unshare-net",
  "--unshare-ipc",
  "--unshare-uts",
  "--cap-drop",
  "ALL",
];

const attemptMs = 10_000;
let found: SandboxSupport | undefined;

/** Tries to start a sandbox. A success is remembered; a failure is tried again, because the user may have fixed its cause. */
export function findBubblewrap(): SandboxSupport {
  if (found?.ok !== true) found = tryBubblewrap();
  return found;
}

function tryBubblewrap(): SandboxSupport {
  if (process.platform !== "linux") return { ok: false, reason: "not-linux" };
  const program = findOnPath("bwrap");
  if (program === undefined) return { ok: false, reason: "not-installed" };
  const args = [...namespaces, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"];
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8", timeout: attemptMs });
  if (status === 0) return { ok: true, program };
  return { ok: false, reason: "not-permitted", detail: (stderr ?? "").trim() || error?.message || `exit code ${status}` };
}

/** Only in folders of the system: an agent may be able to write to others. */
function findOnPath(name: string): string | undefined {
  return ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"]
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
