import type { Driver } from "../driver/driver.ts";
import { driveAppServer } from "./drive-app-server.ts";
import { driveExec } from "./drive-exec.ts";

/** By the app server, which asks and can be talked to; by `codex exec` where there is none that we understand. */
export const driveCodex: Driver = async (context) => {
  const exitCode = await driveAppServer(context);
  if (exitCode !== "unsupported") return exitCode;
  if (context.order.permissionMode !== "plan") return driveExec(context);
  const reason = "This version of Codex has no plan mode. Update it (npm install -g @openai/codex), or choose another mode.";
  context.record({ type: "end", status: "failed", reason, code: "no-plan-mode" });
  return 0;
};
