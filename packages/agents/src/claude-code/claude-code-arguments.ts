import type { PermissionMode } from "@skein/contracts";
import type { DriverOrder } from "../driver/driver-order.ts";
import { skeinServerName, skeinTokenVariable } from "../skein/skein-server.ts";

/**
 * `full` asks like `accept-edits`, and the driver allows everything: Claude Code's own option to skip all questions is rejected for root,
 * and cannot be changed while it works.
 */
const permissionModes: Readonly<Record<PermissionMode, string>> = {
  plan: "plan",
  ask: "default",
  "accept-edits": "acceptEdits",
  full: "acceptEdits",
};

export function toClaudeCodeMode(mode: PermissionMode): string {
  return permissionModes[mode];
}

/** Claude Code replaces `${…}` by the variable: the token is never an argument. */
function toMcpConfig(url: string): string {
  const headers = { Authorization: `Bearer \${${skeinTokenVariable}}` };
  return JSON.stringify({ mcpServers: { [skeinServerName]: { type: "http", url, headers } } });
}

export function toClaudeCodeArguments(
  order: Pick<DriverOrder, "model" | "permissionMode" | "trustsRepository" | "skeinUrl">,
  session: { sessionId: string | null; isFork?: boolean; resumeAt?: string | undefined },
): string[] {
  return [
    "--print",
    "--output-format=stream-json",
    "--verbose",
    "--input-format=stream-json",
    "--include-partial-messages",
    "--replay-user-messages",
    "--permission-prompt-tool=stdio",
    `--permission-mode=${toClaudeCodeMode(order.permissionMode)}`,
    ...(session.sessionId === null ? [] : [`--resume=${session.sessionId}`]),
    // E2: a message that is sent again replaces the unanswered one
    ...(session.resumeAt === undefined ? [] : [`--resume-session-at=${session.resumeAt}`]),
    ...(session.isFork === true ? ["--fork-session"] : []),
    ...(order.model === null ? [] : [`--model=${order.model}`]),
    // X8: its hooks, variables, MCP servers, commands and agents; the user's own still apply
    ...(order.trustsRepository ? [] : ["--setting-sources=user"]),
    ...(order.skeinUrl === undefined ? [] : [`--mcp-config=${toMcpConfig(order.skeinUrl)}`]),
  ];
}
