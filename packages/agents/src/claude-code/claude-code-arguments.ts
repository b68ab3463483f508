import type { PermissionMode } from "@skein/contracts";
import type { DriverOrder } from "../driver/driver-order.ts";

/**
 * `full` asks as `accept-edits` does, and the driver agrees: Claude Code's own way to skip all questions is refused to
 * root, and cannot be chosen while it works.
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

export function toClaudeCodeArguments(
  order: Pick<DriverOrder, "model" | "permissionMode" | "trustsRepository">,
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
    // E2: a message that is sent again takes the place of the one that was not answered
    ...(session.resumeAt === undefined ? [] : [`--resume-session-at=${session.resumeAt}`]),
    ...(session.isFork === true ? ["--fork-session"] : []),
    ...(order.model === null ? [] : [`--model=${order.model}`]),
    // X8: its hooks, variables, MCP servers, commands and agents; the user's own still count
    ...(order.trustsRepository ? [] : ["--setting-sources=user"]),
  ];
}
