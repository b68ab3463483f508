import { isLoopback } from "@skein/engine";
import type { Config } from "../config/load-config.ts";

/**
 * Whether the web UI and the API offer terminals. A terminal is a shell with the rights of the server's user: on by default only for one
 * user on this machine. Decided by config.json alone, never by a request.
 */
export function areTerminalsOn({
  terminals,
  team,
  host,
  behindProxy,
}: Pick<Config, "terminals" | "team" | "host" | "behindProxy">): boolean {
  return terminals ?? (team === undefined && isLoopback(host) && !behindProxy);
}
