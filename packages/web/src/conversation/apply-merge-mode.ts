import type { ConversationMessage, MergeMode, ToolExecutionMessage } from "@skein/contracts";

/**
 * What is stored, shown in another mode (T2): `on-complete` leaves out what still runs; `off` shows each tool as its use,
 * and its result where it came. What the server itself stored unmerged stays so in every mode.
 */
export function applyMergeMode(messages: readonly ConversationMessage[], mode: MergeMode): readonly ConversationMessage[] {
  if (mode === "live") return messages;
  if (mode === "on-complete") return messages.filter((message) => !isRunning(message));
  if (!messages.some(({ messageType }) => messageType === "tool_execution")) return messages;
  const shown: ConversationMessage[] = [];
  let results: { at: number; message: ConversationMessage }[] = [];
  const showUntil = (time: number): void => {
    for (const { message } of results.filter(({ at }) => at <= time)) shown.push(message);
    results = results.filter(({ at }) => at > time);
  };
  for (const message of messages) {
    // A person's message begins another execution: what came before it ended before it.
    showUntil(message.role === "user" ? Number.POSITIVE_INFINITY : message.timestamp);
    if (message.messageType !== "tool_execution") shown.push(message);
    else {
      shown.push(toUse(message));
      if (message.metadata.state !== "running") {
        results.push({ at: message.timestamp + message.metadata.durationMs, message: toResult(message) });
        results.sort((a, b) => a.at - b.at);
      }
    }
  }
  showUntil(Number.POSITIVE_INFINITY);
  return shown;
}

function isRunning(message: ConversationMessage): boolean {
  return message.messageType === "tool_execution" && message.metadata.state === "running";
}

function toUse({ id, metadata, ...message }: ToolExecutionMessage): ConversationMessage {
  const { toolName, toolUseId, input, executionId } = metadata;
  const shown = { toolName, toolUseId, input, ...(executionId === undefined ? {} : { executionId }) };
  return { ...message, id: id.replace(/-merged$/, ""), content: toolName, messageType: "tool_use", metadata: shown };
}

function toResult({ id, metadata, ...message }: ToolExecutionMessage): ConversationMessage {
  const { toolName, toolUseId, isError, output, executionId } = metadata;
  const shown = { toolName, toolUseId, isError, ...(executionId === undefined ? {} : { executionId }) };
  return { ...message, id: `${id}-result`, content: output, messageType: "tool_result", metadata: shown };
}
