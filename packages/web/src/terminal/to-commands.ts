import type { ConversationMessage } from "@skein/contracts";

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
    if (message.messageType !== "tool_execution" || message.metadata.details?.type !== "commandOutput") return [];
    const { state, details, output } = message.metadata;
    const { command, stdout, stderr, exitCode } = details.data;
    const printed = [stdout, stderr].filter(Boolean).join(stdout.endsWith("\n") ? "" : "\n");
    return [
      {
        messageId: message.id,
        revision: message.revision,
        command,
        // What has been printed so far is in the output until the details know it.
        output: printed === "" ? output : printed,
        exitCode,
        state,
        startedAt: message.timestamp,
        durationMs: message.metadata.state === "running" ? null : message.metadata.durationMs,
      },
    ];
  });
}
