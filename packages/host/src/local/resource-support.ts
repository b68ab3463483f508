import { checkCgroupLimits } from "../runner/execution-cgroup.ts";

/** Who keeps executions within their limits on this machine: the kernel, or the runner, which measures them. */
export function checkResourceSupport(): "kernel" | "runner" {
  return checkCgroupLimits() ? "kernel" : "runner";
}
