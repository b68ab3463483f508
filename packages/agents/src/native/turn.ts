import type { AgentOutput, CompressionSummary, MessageBody, MessageEntity, MessageId, PermissionMode } from "@skein/contracts";
import type { Model } from "@skein/engine";
import type { NativeTool } from "../tools/tool.ts";
import type { ApprovalDesk } from "./approval-desk.ts";

export interface TurnLimits {
  /** Model calls in one execution, retries not counted. */
  cycles: number;
  /** Retries of one model call. */
  retries: number;
  /** Before the first retry; doubles each time. */
  retryDelayMs: number;
}

export const defaultLimits: TurnLimits = { cycles: 50, retries: 4, retryDelayMs: 1000 };

export type BuildRequest = (input: {
  systemPrompts: readonly string[];
  messages: readonly MessageEntity[];
  summary: CompressionSummary | null;
}) => MessageBody[];

/** What the parts of one turn share. */
export interface Turn {
  model: Model;
  tools: ReadonlyMap<string, NativeTool>;
  permissionMode: PermissionMode;
  approvals: ApprovalDesk;
  emit(output: AgentOutput): void;
  signal: AbortSignal;
  now(): number;
  createMessageId(): MessageId;
  limits: TurnLimits;
  /** Calls that were shown and have no result yet: id → tool name. */
  openCalls: Map<string, string>;
  /** Every call id of the conversation: a model that uses one twice gets a new one for the second. */
  usedCallIds: Set<string>;
  /** Tools that the person allowed for the rest of this execution. */
  allowedTools: Set<string>;
}
