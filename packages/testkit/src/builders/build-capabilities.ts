import type { AgentCapabilities } from "@skein/engine";

/** Those of an agent that keeps sessions, such as Claude Code. */
export function buildCapabilities(changes: Partial<AgentCapabilities> = {}): AgentCapabilities {
  return {
    commitsAtEnd: false,
    closesItself: false,
    reportsUsagePerMessage: false,
    mayEndSilently: true,
    readsHistoryFile: false,
    takesMcpServers: false,
    readsRepositorySettings: true,
    usesServerModels: false,
    compressesHistory: false,
    ...changes,
  };
}
