import { createHash } from "node:crypto";
import type { Attempt, ConversationMessage, EndedExecution, ProjectId, StoredMessage, Usage } from "@skein/contracts";
import { type Attributes, type Span, spanKinds } from "./span.ts";

/** What is known of an execution at its end. */
export interface ExecutionRecord {
  execution: EndedExecution;
  attempt: Attempt;
  projectId: ProjectId | undefined;
  /** Its messages, in order. */
  messages: readonly StoredMessage[];
  cards: readonly ConversationMessage[];
}

/**
 * The spans of an execution, by the semantic conventions for generative AI: `invoke_agent`, and in it `chat` for each call of a model and
 * `execute_tool` for each tool. They hold names, ids, times and figures, never texts of messages, arguments or outputs. Ids are derived
 * from those of Skein, so that an execution has the same trace wherever it is looked up.
 */
export function toExecutionSpans(record: ExecutionRecord): Span[] {
  const { execution, attempt, projectId } = record;
  const traceId = toHex(execution.id, 32);
  const spanId = toHex(`${execution.id} agent`, 16);
  const provider = toProvider(attempt.agent, attempt.model);
  const shared: Attributes = {
    "gen_ai.provider.name": provider,
    "gen_ai.agent.name": attempt.agent,
    "gen_ai.conversation.id": attempt.sessionId ?? attempt.id,
    "skein.execution.id": execution.id,
  };
  const failed = execution.status === "failed" || execution.status === "interrupted";
  const agent: Span = {
    ...{ traceId, spanId, kind: spanKinds.internal, name: `invoke_agent ${attempt.agent}` },
    startedAt: execution.startedAt,
    endedAt: execution.endedAt,
    attributes: {
      ...shared,
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.request.model": attempt.model ?? undefined,
      ...toUsage(execution.usage),
      "skein.project.id": projectId,
      "skein.task.id": execution.taskId,
      "skein.attempt.id": execution.attemptId,
      "skein.execution.number": execution.number,
      "skein.execution.status": execution.status,
      "skein.host.id": attempt.hostId ?? undefined,
      "error.type": failed ? (execution.code ?? execution.status) : undefined,
    },
    // the reason may quote what the agent printed
    ...(failed ? { error: execution.code ?? execution.status } : {}),
  };
  const tools = record.cards.flatMap((card) => toToolSpan(card, { traceId, parentSpanId: spanId, shared }));
  const calls = toModelSpans(record, { traceId, parentSpanId: spanId, shared });
  return [agent, ...[...calls, ...tools].sort((a, b) => a.startedAt - b.startedAt)];
}

interface Parent {
  traceId: string;
  parentSpanId: string;
  shared: Attributes;
}

function toToolSpan(card: ConversationMessage, { traceId, parentSpanId, shared }: Parent): Span[] {
  if (card.messageType !== "tool_execution" || card.metadata.state === "running") return [];
  const { toolName, toolUseId, durationMs, state, isError } = card.metadata;
  const failed = isError || state !== "completed";
  return [
    {
      ...{ traceId, parentSpanId, spanId: toHex(card.id, 16), kind: spanKinds.internal, name: `execute_tool ${toolName}` },
      startedAt: card.timestamp,
      endedAt: card.timestamp + durationMs,
      attributes: {
        ...shared,
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": toolName,
        "gen_ai.tool.call.id": toolUseId,
        "gen_ai.tool.type": toolName.startsWith("mcp__") ? "extension" : "function",
        "skein.tool.state": state,
        "error.type": failed ? state : undefined,
      },
      ...(failed ? { error: state } : {}),
    },
  ];
}

/**
 * A call of a model lasts from the end of the tools before it, or from the start of the execution, until its first tool, or its last
 * text: agents do not report when they send a request.
 */
function toModelSpans({ execution, attempt, messages, cards }: ExecutionRecord, { traceId, parentSpanId, shared }: Parent): Span[] {
  const tools = new Map(cards.flatMap((card) => (card.messageType === "tool_execution" ? [[card.metadata.toolUseId, card] as const] : [])));
  const texts = cards.filter(({ messageType, role }) => role === "assistant" && (messageType === "text" || messageType === "thinking"));
  let from = execution.startedAt;
  return messages.flatMap(({ id, body, model, usage, createdAt }): Span[] => {
    if (body.role !== "assistant") return [];
    const own = (body.toolCalls ?? []).flatMap(({ id: toolUseId }) => tools.get(toolUseId) ?? []);
    const startedAt = Math.min(from, createdAt);
    const said = texts.filter(({ timestamp }) => timestamp >= createdAt).at(0)?.timestamp ?? createdAt;
    const endedAt = own.length > 0 ? Math.min(...own.map(({ timestamp }) => timestamp)) : Math.max(said, createdAt);
    from = Math.max(endedAt, ...own.map(({ timestamp, metadata }) => timestamp + ("durationMs" in metadata ? metadata.durationMs : 0)));
    const name = model ?? attempt.model ?? undefined;
    return [
      {
        ...{ traceId, parentSpanId, spanId: toHex(id, 16), kind: spanKinds.client, name: name === undefined ? "chat" : `chat ${name}` },
        startedAt,
        endedAt: Math.max(startedAt, endedAt),
        attributes: {
          ...shared,
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": attempt.model ?? model,
          "gen_ai.response.model": model,
          ...toUsage(usage ?? {}),
        },
      },
    ];
  });
}

function toUsage({ inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens, costUsd }: Usage): Attributes {
  return {
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    "gen_ai.usage.reasoning.output_tokens": reasoningTokens,
    "gen_ai.usage.cache_read.input_tokens": cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": cacheWriteTokens,
    "skein.usage.cost_usd": costUsd,
  };
}

const providers: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  "claude-code": "anthropic",
  openai: "openai",
  codex: "openai",
  gemini: "gcp.gemini",
};

/** Well-known names; undefined where Skein does not know which provider the agent uses. */
function toProvider(agent: string, model: string | null | undefined): string | undefined {
  const [prefix = ""] = (model ?? "").split(/[/-]/);
  return providers[agent] ?? providers[prefix];
}

function toHex(id: string, length: number): string {
  return createHash("sha256").update(id).digest("hex").slice(0, length);
}
