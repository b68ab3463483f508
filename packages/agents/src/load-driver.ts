import type { Driver } from "./driver/driver.ts";
import type { DriverKind } from "./driver/driver-order.ts";

export type { Driver, DriverContext } from "./driver/driver.ts";
export type { DriverControl } from "./driver/driver-control.ts";
export type { DriverOrder } from "./driver/driver-order.ts";

const drivers: Record<DriverKind, () => Promise<Driver>> = {
  "claude-code": async () => (await import("./claude-code/drive-claude-code.ts")).driveClaudeCode,
  acp: async () => (await import("./acp/drive-acp.ts")).driveAcp,
  command: async () => (await import("./command/drive-command.ts")).driveCommand,
  codex: async () => (await import("./codex/drive-codex.ts")).driveCodex,
};

/** Loads the driver of one kind, and nothing of the others. */
export function loadDriver(kind: DriverKind): Promise<Driver> {
  return drivers[kind]();
}
