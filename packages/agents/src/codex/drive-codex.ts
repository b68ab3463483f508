import type { Driver } from "../driver/driver.ts";
import { driveAppServer } from "./drive-app-server.ts";
import { driveExec } from "./drive-exec.ts";

/** By the app server, which asks and can be talked to; by `codex exec` where there is none that we understand. */
export const driveCodex: Driver = async (context) => {
  const exitCode = await driveAppServer(context);
  return exitCode === "unsupported" ? driveExec(context) : exitCode;
};
