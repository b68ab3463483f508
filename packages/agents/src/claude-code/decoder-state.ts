import type { MessageId, Usage } from "@skein/contracts";
import type { DecoderState } from "../lines/decoder-snapshot.ts";

/** The assistant message that is being said on one level: by the agent itself, or by one of its subagents. */
export interface LevelState {
  /** As the agent calls it. */
  nativeId: string | null;
  messageId: MessageId;
  model?: string;
  stopReason?: string;
  /** Index of the next block; every block below it has come whole. */
  nextIndex: number;
  /** How far its stream is, where the agent sends partial messages. */
  stream: "none" | "open" | "stopped";
  /** The block that the stream is in. */
  openIndex: number | null;
  /** Text has been shown that no whole block has confirmed yet. */
  hasUnconfirmedText: boolean;
  /** The last block of such text; earlier releases did not keep it. */
  partial?: { index: number; type: "text" | "thinking" };
  hasSignature: boolean;
  ended: boolean;
}

/** All that the decoder remembers between lines: bounded, whatever the agent sends. */
export interface ClaudeCodeState extends DecoderState {
  session: { sessionId: string; model?: string } | null;
  /** By the tool use id of the subagent, empty for the agent itself. */
  levels: [string, LevelState][];
  /** Questions that are open: request ids by tool use id. */
  requests: [string, string][];
  /** Plans that wait for their question, by tool use id; earlier releases kept none. */
  plans?: [string, string][];
  backgroundTasks: string[];
  unknownKinds: string[];
  /** The notice about retries that is on the screen, updated until the model speaks again. */
  retryNotice: { messageId: MessageId; at: number } | null;
  /** An assistant line came since the last result. */
  hasSpoken: boolean;
  /** A notice was shown since the last result. */
  hasTold: boolean;
  usage: Usage;
}

export const snapshotKind = { decoder: "claude-code", version: 1 } as const;
