import type { Driver } from "../driver/driver.ts";
import { driveAppServer } from "./drive-app-server.ts";
import { driveExec } from "./drive-exec.ts";

/** By the app server, which asks and can be talked to; by `codex exec` where there is none that we understand. */
export const driveCodex: Driver = async (context) => {
  const exitCode = await driveAppServer(context);
  if (exitCode !== "unsupported") return exitCode;
  if (context.order.permissionMode !== "plan") return driveExec(context);
  context.record({ type: "end", status: "failed", reason: { code: "codex-without-plan-mode" }, code: "no-plan-mode" });
  return 0;
};
