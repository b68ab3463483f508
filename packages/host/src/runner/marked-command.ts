import { createHash } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { agentNiceness } from "./lower-priority.ts";

/*
 * The second mark of an execution's processes, next to the environment variable: a resource limit that Linux has not enforced since
 * 2.4 (RLIMIT_LOCKS). Children inherit it through fork, exec, setsid and a cleared environment, and any process can read it. A process
 * loses it only by setting that limit deliberately.
 */

/** The limit value of an execution: large enough that nothing else uses it, and not unlimited. */
export function toLimitMark(executionId: string): string {
  const digest = createHash("sha256").update(executionId).digest();
  return String(2 ** 48 + digest.readUIntBE(0, 6));
}

/** PATH of a shell that gets none. */
const defaultPath = "/usr/local/bin:/usr/bin:/bin";

// A program gets a new session, which Linux gives a normal CPU share: see `lowerPriority`. If the machine runs out of memory, Linux ends it
// before the server and the user's programs.
// `command`: a shell that does not support the option continues. bash names the limit -x, dash and busybox -w.
const script =
  'cgroup=$1; mark=$2; niceness=$3; shift 3; { echo "$niceness" > /proc/self/autogroup; echo 500 > /proc/self/oom_score_adj; } 2>/dev/null; if [ -n "$cgroup" ]; then echo 0 > "$cgroup/cgroup.procs"; fi 2>/dev/null; { command ulimit -x "$mark" || command ulimit -w "$mark"; } 2>/dev/null; exec "$@"';

/** Wraps a command so that it and everything it starts can be found. Unchanged on systems other than Linux. */
export function toMarkedCommand(input: {
  program: string;
  args: readonly string[];
  executionId: string;
  cgroup: string | undefined;
  cwd: string;
  /** The PATH of the started program. */
  searchPath: string | undefined;
}): { program: string; args: string[] } {
  const { program, args, executionId, cgroup } = input;
  // a missing program must fail as such, not as a shell error
  if (process.platform !== "linux" || !listPlaces(input).some(isExecutable)) return { program, args: [...args] };
  return {
    program: "/bin/sh",
    args: ["-c", script, "sh", cgroup ?? "", toLimitMark(executionId), String(agentNiceness), program, ...args],
  };
}

/** Candidate paths of a program: a name without a folder is searched on PATH. */
function listPlaces({ program, cwd, searchPath }: { program: string; cwd: string; searchPath: string | undefined }): string[] {
  if (program.includes("/")) return [resolve(cwd, program)];
  return (searchPath ?? defaultPath).split(":").map((folder) => resolve(cwd, folder, program));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
