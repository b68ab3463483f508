import type { ExecutionId, ImagePart, JsonValue, PermissionGrant, PermissionMode } from "@skein/contracts";

/** The program, and which driver to use. */
export type DriverKind = "acp" | "claude-code" | "codex" | "command";

/** The driver's complete input. It comes from Skein's own server, which has validated it. */
export interface DriverOrder {
  driver: DriverKind;
  executionId: ExecutionId;
  /** The agent's name, for notices. */
  name: string;
  /** Program and first arguments: found on PATH, or from the user's config. */
  command: readonly [string, ...string[]];
  directory: string;
  message: string;
  images: readonly ImagePart[];
  /** The session to resume; null for a new one. */
  sessionId: string | null;
  /** The user chose this session, and this attempt has no messages yet: if it cannot be resumed, the execution fails. */
  mustResume?: boolean;
  /** The message was sent before and not answered: the session may end with it. */
  isRetry?: boolean;
  /** For a retry: the last message of the session before it, if known (`AgentAdapter.findSessionPoint`). */
  resumeAt?: string;
  /** A session of the same agent in another attempt to branch off from; it is not changed. */
  forkFrom?: string;
  /** The earlier conversation as text, for a session that has to start anew; null if there is none. */
  transcript: string | null;
  model: string | null;
  permissionMode: PermissionMode;
  /** A mode of the agent's session that the user chose; null: the one that fits the permission mode. */
  agentMode: string | null;
  /** What the user has permanently allowed in this project. */
  grants: readonly PermissionGrant[];
  /** The user's own system prompts, the most general first. */
  systemPrompts: readonly string[];
  /** False: nothing of the repository (hooks, settings, MCP servers) may run. */
  trustsRepository: boolean;
  /**
   * The address of Skein's own MCP server, if the agent may use it. Its token is in the environment (`skeinTokenVariable`): arguments of
   * processes are public.
   */
  skeinUrl?: string;
  /** Files that these settings name or load: an edit of one needs approval in every mode (X16). */
  trustedFiles: readonly string[];
  /** Options of this kind of driver. */
  options: JsonValue;
}
