import { createHash } from "node:crypto";
import { accessSync, constants } from "node:fs";

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

// `command`: a shell that does not know the option goes on. bash calls the limit -x, dash and busybox -w.
const script =
  'cgroup=$1; mark=$2; shift 2; if [ -n "$cgroup" ]; then echo 0 > "$cgroup/cgroup.procs"; fi 2>/dev/null; { command ulimit -x "$mark" || command ulimit -w "$mark"; } 2>/dev/null; exec "$@"';

/** The program with its arguments, started so that it and all that it starts can be found. On other systems than Linux, as it is. */
export function toMarkedCommand(input: { program: string; args: readonly string[]; executionId: string; cgroup: string | undefined }): {
  program: string;
  args: string[];
} {
  const { program, args, executionId, cgroup } = input;
  // what cannot be started must fail as itself, not as a shell that could not start it
  if (process.platform !== "linux" || !isExecutable(program)) return { program, args: [...args] };
  return { program: "/bin/sh", args: ["-c", script, "sh", cgroup ?? "", toLimitMark(executionId), program, ...args] };
}

function isExecutable(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return program.startsWith("/");
  } catch {
    return false;
  }
}
