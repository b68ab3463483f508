import type { ExecutionId, ImagePart, JsonValue, PermissionGrant, PermissionMode } from "@skein/contracts";

/** Which program is driven how. */
export type DriverKind = "acp" | "claude-code" | "codex" | "command";

/** All that a driver knows. It comes from our own server, which has checked it. */
export interface DriverOrder {
  driver: DriverKind;
  executionId: ExecutionId;
  /** The agent's name, for notices. */
  name: string;
  /** Program and first arguments: found on PATH, or from the user's own config. */
  command: readonly [string, ...string[]];
  directory: string;
  message: string;
  images: readonly ImagePart[];
  /** The session to resume; null for a new one. */
  sessionId: string | null;
  /** The user chose this session, and nothing was said in this attempt yet: without it, the execution fails. */
  mustResume?: boolean;
  /** The message was sent before and was not answered: the session may end with it. */
  isRetry?: boolean;
  /** For a retry: the last message of the session before it, where that is known (`AgentAdapter.findSessionPoint`). */
  resumeAt?: string;
  /** A session of the same agent, in another attempt, to branch off from; it stays as it is. */
  forkFrom?: string;
  /** What was said before, in words, for a session that has to begin anew; null when nothing was. */
  transcript: string | null;
  model: string | null;
  permissionMode: PermissionMode;
  /** A mode that the agent's session offers and the user chose; null: that which fits the permission mode. */
  agentMode: string | null;
  /** What the user has always allowed in this project. */
  grants: readonly PermissionGrant[];
  /** The user's own, the widest first. */
  systemPrompts: readonly string[];
  /** False: nothing that the repository brings along (hooks, settings, MCP servers) may run. */
  trustsRepository: boolean;
  /** Files of the folder that these settings name or load: an edit of one is asked about in every mode (X16). */
  trustedFiles: readonly string[];
  /** What only this kind of driver understands. */
  options: JsonValue;
}
