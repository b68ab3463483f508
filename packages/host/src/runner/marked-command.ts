import { createHash } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { agentNiceness } from "./lower-priority.ts";

/*
 * How the processes of an execution are marked, beside the variable in their environment: by a resource limit that Linux has
 * not enforced since 2.4 (RLIMIT_LOCKS). Children inherit it through fork, exec, setsid and a cleared environment, and
 * anybody can read it. A process loses it only by setting that limit on purpose.
 */

/** The value of the limit for an execution: large enough that nobody else sets it, unlimited not included. */
export function toLimitMark(executionId: string): string {
  const digest = createHash("sha256").update(executionId).digest();
  return String(2 ** 48 + digest.readUIntBE(0, 6));
}

/** Of a shell that is given none. */
const defaultPath = "/usr/local/bin:/usr/bin:/bin";

// The session of a program is a new one, which Linux gives the usual share of the processors: see `lowerPriority`.
// `command`: a shell that does not know the option goes on. bash calls the limit -x, dash and busybox -w.
const script =
  'cgroup=$1; mark=$2; niceness=$3; shift 3; { echo "$niceness" > /proc/self/autogroup; } 2>/dev/null; if [ -n "$cgroup" ]; then echo 0 > "$cgroup/cgroup.procs"; fi 2>/dev/null; { command ulimit -x "$mark" || command ulimit -w "$mark"; } 2>/dev/null; exec "$@"';

/** The program with its arguments, started so that it and all that it starts can be found. On other systems than Linux, as it is. */
export function toMarkedCommand(input: {
  program: string;
  args: readonly string[];
  executionId: string;
  cgroup: string | undefined;
  cwd: string;
  /** The PATH that it is started with. */
  searchPath: string | undefined;
}): { program: string; args: string[] } {
  const { program, args, executionId, cgroup } = input;
  // what cannot be started must fail as itself, not as a shell that could not start it
  if (process.platform !== "linux" || !listPlaces(input).some(isExecutable)) return { program, args: [...args] };
  return {
    program: "/bin/sh",
    args: ["-c", script, "sh", cgroup ?? "", toLimitMark(executionId), String(agentNiceness), program, ...args],
  };
}

/** Where a program of this name may be: a name without a folder is looked for on PATH. */
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
