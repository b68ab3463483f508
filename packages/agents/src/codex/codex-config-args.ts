import type { DriverOrder } from "../driver/driver-order.ts";
import { skeinServerName, skeinTokenVariable } from "../skein/skein-server.ts";

/**
 * Settings for one start, in addition to the user's own. Codex treats a writable folder as trusted, records that in the user's config,
 * and then runs the repository's MCP servers and hooks, unless a setting prevents it.
 */
export function toConfigArgs({
  directory,
  trustsRepository,
  skeinUrl,
}: Pick<DriverOrder, "directory" | "trustsRepository" | "skeinUrl">): string[] {
  const level = trustsRepository ? "trusted" : "untrusted";
  const fields = `url=${toTomlString(skeinUrl ?? "")}, bearer_token_env_var=${toTomlString(skeinTokenVariable)}`;
  return [
    ...["-c", `projects={${toTomlString(directory)}={trust_level=${toTomlString(level)}}}`],
    ...(skeinUrl === undefined ? [] : ["-c", `mcp_servers.${skeinServerName}={${fields}}`]),
  ];
}

/** JSON strings are valid TOML strings, except for one control character that JSON does not escape. */
export function toTomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
