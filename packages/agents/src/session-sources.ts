import { findClaudeSessions, listClaudePlaces } from "./claude-code/find-claude-sessions.ts";
import { readClaudeSession } from "./claude-code/read-claude-session.ts";
import { findCodexSessions, listCodexPlaces } from "./codex/find-codex-sessions.ts";
import { readCodexSession } from "./codex/read-codex-session.ts";
import { findGeminiSessions, listGeminiPlaces } from "./gemini/find-gemini-sessions.ts";
import { readGeminiSession } from "./gemini/read-gemini-session.ts";
import { opencodeSessions } from "./opencode/opencode-sessions.ts";
import { createFileSource, type SessionSource } from "./sessions/session-source.ts";
import { vibeKanbanSessions } from "./vibe-kanban/vibe-kanban-sessions.ts";

export type {
  FoundSession,
  OpenSource,
  ReadFrom,
  SessionSink,
  SessionSource,
  SourceEnvironment,
  Turn,
  TurnEnd,
} from "./sessions/session-source.ts";

export { watchPlaces } from "./sessions/watch-places.ts";

/** The programs whose sessions can be imported. */
export const sessionSources: readonly SessionSource[] = [
  createFileSource({
    ...{ id: "claude-code", name: "Claude Code" },
    ...{ listPlaces: listClaudePlaces, find: findClaudeSessions, read: readClaudeSession },
  }),
  createFileSource({ id: "codex", name: "Codex", listPlaces: listCodexPlaces, find: findCodexSessions, read: readCodexSession }),
  createFileSource({ id: "gemini", name: "Gemini CLI", listPlaces: listGeminiPlaces, find: findGeminiSessions, read: readGeminiSession }),
  opencodeSessions,
  vibeKanbanSessions,
];
