import type { ConversationMessage, MergeMode, ToolExecutionEndState, ToolExecutionMessage } from "@skein/contracts";

/**
 * Projects one stored message into a merge mode (T2). Storage always holds merged cards; the client's form is made here, on the server
 * for API clients and in the browser for its own view, so that a mode can change at any time.
 *
 * - `live`: the message unchanged.
 * - `on-complete`: nothing while its tool runs.
 * - `off`: a card becomes its `tool_use`, then its `tool_result` once it has ended, then one more `tool_result` for each annotation. The
 * uses and results carry the card's revision, so a client that keeps the highest revision stays current.
 */
export function projectMessage(message: ConversationMessage, mode: MergeMode): readonly ConversationMessage[] {
  if (mode === "live" || message.messageType !== "tool_execution") return [message];
  if (mode === "on-complete") return message.metadata.state === "running" ? [] : [message];
  return [toUse(message), ...toResults(message)];
}

/** Projects a page of messages; with `off`, each result is at the position where it arrived. */
export function projectMessages(messages: readonly ConversationMessage[], mode: MergeMode): readonly ConversationMessage[] {
  if (mode === "live") return messages;
  if (mode === "on-complete") return messages.flatMap((message) => projectMessage(message, mode));
  const shown: ConversationMessage[] = [];
  let results: ConversationMessage[] = [];
  const showUntil = (time: number): void => {
    shown.push(...results.filter(({ timestamp }) => timestamp <= time));
    results = results.filter(({ timestamp }) => timestamp > time);
  };
  for (const message of messages) {
    // A user's message begins another execution: every earlier tool has ended before it.
    showUntil(message.role === "user" ? Number.POSITIVE_INFINITY : message.timestamp);
    if (message.messageType !== "tool_execution") shown.push(message);
    else {
      shown.push(toUse(message));
      const ended = toResults(message);
      if (ended.length > 0) results = [...results, ...ended].sort((a, b) => a.timestamp - b.timestamp);
    }
  }
  showUntil(Number.POSITIVE_INFINITY);
  return shown;
}

/** Placeholder for clients that read only results. */
const missingResult: Partial<Record<ToolExecutionEndState, string>> = {
  interrupted: "Interrupted: the tool may have run.",
  "timed-out": "Timed out: the tool may have run.",
};

function toUse({ id, metadata, ...message }: ToolExecutionMessage): ConversationMessage {
  const { toolName, toolUseId, input, executionId, parentToolUseId } = metadata;
  return {
    ...message,
    id: toKey(id),
    messageType: "tool_use",
    content: toolName,
    metadata: { ...defined({ executionId, parentToolUseId }), toolName, toolUseId, input },
  };
}

function toResults({ id, metadata, ...message }: ToolExecutionMessage): ConversationMessage[] {
  if (metadata.state === "running") return [];
  const { executionId, parentToolUseId, toolName, toolUseId, isError, state, output, durationMs, annotations } = metadata;
  const { details, outputFile, processorFailure } = metadata;
  const missing = missingResult[state];
  const origin = { ...defined({ executionId, parentToolUseId }), toolName, toolUseId };
  const base = { ...message, messageType: "tool_result" as const, timestamp: message.timestamp + durationMs };
  const result: ConversationMessage = {
    ...base,
    // A result that arrived before its use was shown under its own id: it keeps that id.
    id: metadata.replaces?.at(-1) ?? `${toKey(id)}-result`,
    content: missing === undefined ? output : [output, missing].filter((part) => part !== "").join("\n\n"),
    metadata: {
      ...origin,
      isError,
      state,
      durationMs,
      ...defined({ outputFile, details, processorFailure, output: missing === undefined ? undefined : output }),
    },
  };
  const late = (annotations ?? []).map(
    (content, index): ConversationMessage => ({
      ...base,
      id: `${toKey(id)}-late-${index + 1}`,
      content,
      metadata: { ...origin, isError: false, isLate: true },
    }),
  );
  return [result, ...late];
}

/** The id of the card that a use, a result or a late result of merge mode `off` was made from. */
export function toCardId(id: string): string {
  return `${id.replace(/-(?:result|late-\d+)$/, "")}-merged`;
}

function toKey(id: string): string {
  return id.endsWith("-merged") ? id.slice(0, -"-merged".length) : id;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
