import type { MessageId, Usage } from "@skein/contracts";
import type { DecoderState } from "../lines/decoder-snapshot.ts";

/** The open assistant message of one level: of the agent itself, or of one of its subagents. */
export interface LevelState {
  /** The agent's own id. */
  nativeId: string | null;
  messageId: MessageId;
  model?: string;
  stopReason?: string;
  /** Index of the next block; all blocks before it are complete. */
  nextIndex: number;
  /** Progress of its stream, if the agent sends partial messages. */
  stream: "none" | "open" | "stopped";
  /** The block that the stream is in. */
  openIndex: number | null;
  /** Text has been shown that no complete block has confirmed yet. */
  hasUnconfirmedText: boolean;
  /** The last block of such text; missing in snapshots of earlier releases. */
  partial?: { index: number; type: "text" | "thinking" };
  hasSignature: boolean;
  /** Of its request, as its stream has reported it so far. */
  usage?: Usage;
  ended: boolean;
}

/** The decoder's state between lines; bounded, whatever the agent sends. */
export interface ClaudeCodeState extends DecoderState {
  session: { sessionId: string; model?: string } | null;
  /** By tool use id of the subagent; empty for the agent itself. */
  levels: [string, LevelState][];
  /** Open questions: request ids by tool use id. */
  requests: [string, string][];
  /** Plans that wait for their question, by tool use id; missing in snapshots of earlier releases. */
  plans?: [string, string][];
  backgroundTasks: string[];
  unknownKinds: string[];
  /** The visible notice about retries, updated until the model answers. */
  retryNotice: { messageId: MessageId; at: number } | null;
  /** There was an assistant line since the last result. */
  hasSpoken: boolean;
  /** There was a notice since the last result. */
  hasTold: boolean;
  usage: Usage;
  /** Of the requests since the last result. */
  spent?: Usage;
  /** The plan of the user accepts no more requests. */
  isLimited?: boolean;
}

export const snapshotKind = { decoder: "claude-code", version: 1 } as const;
