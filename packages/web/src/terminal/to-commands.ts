import type { ConversationMessage, ToolExecutionMessage } from "@skein/contracts";
import { toolKind } from "../tools/tool-card-view.ts";

/** One command that the agent ran, as a terminal would have shown it. */
export interface TerminalCommand {
  messageId: string;
  /** Rises whenever something of it changed. */
  revision: number;
  command: string;
  output: string;
  exitCode: number | null;
  state: "running" | "completed" | "failed" | "denied" | "interrupted" | "timed-out";
  startedAt: number;
  durationMs: number | null;
}

export function toCommands(messages: readonly ConversationMessage[]): TerminalCommand[] {
  return messages.flatMap((message) => {
    const ran = message.messageType === "tool_execution" ? readCommand(message) : null;
    if (ran === null || message.messageType !== "tool_execution") return [];
    const { metadata } = message;
    return [
      {
        ...ran,
        messageId: message.id,
        revision: message.revision,
        state: metadata.state,
        startedAt: message.timestamp,
        durationMs: metadata.state === "running" ? null : metadata.durationMs,
      },
    ];
  });
}

/** Null for what is not a command. Until its details are known, its input and the output so far are used. */
function readCommand({ metadata }: ToolExecutionMessage): Pick<TerminalCommand, "command" | "output" | "exitCode"> | null {
  const { details, output, input, toolName } = metadata;
  if (details?.type === "commandOutput") {
    const { command, stdout, stderr, exitCode } = details.data;
    const printed = [stdout, stderr].filter(Boolean).join(stdout.endsWith("\n") ? "" : "\n");
    return { command, output: printed === "" ? output : printed, exitCode };
  }
  if (details !== undefined || toolKind(toolName, null) !== "command") return null;
  const command = typeof input === "object" && input !== null && "command" in input ? input.command : undefined;
  return typeof command === "string" ? { command, output, exitCode: null } : null;
}
