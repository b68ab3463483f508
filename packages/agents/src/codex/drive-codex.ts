import type { Driver } from "../driver/driver.ts";
import { driveAppServer } from "./drive-app-server.ts";
import { driveExec } from "./drive-exec.ts";

/** Uses the app server, which supports approvals and steering; `codex exec` if there is no compatible one. */
export const driveCodex: Driver = async (context) => {
  const exitCode = await driveAppServer(context);
  if (exitCode !== "unsupported") return exitCode;
  if (context.order.permissionMode !== "plan") return driveExec(context);
  context.record({ type: "end", status: "failed", reason: { code: "codex-without-plan-mode" }, code: "no-plan-mode" });
  return 0;
};
