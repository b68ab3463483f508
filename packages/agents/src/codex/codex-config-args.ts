import type { DriverOrder } from "../driver/driver-order.ts";

/**
 * Settings for one start, on top of the user's own. Codex takes a folder that it may write in for one that the user
 * trusts, notes that in their config, and then runs the MCP servers and hooks of the repository: unless a setting prevents it.
 */
export function toConfigArgs({ directory, trustsRepository }: Pick<DriverOrder, "directory" | "trustsRepository">): string[] {
  const level = trustsRepository ? "trusted" : "untrusted";
  return ["-c", `projects={${toTomlString(directory)}={trust_level=${toTomlString(level)}}}`];
}

/** The strings of JSON are strings of TOML, but for the one control character that JSON leaves as it is. */
export function toTomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
