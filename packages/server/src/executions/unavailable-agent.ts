import type { AgentId } from "@skein/contracts";
import { type AgentAdapter, ServiceError } from "@skein/engine";

/**
 * Stands for an agent that the settings no longer have: its executions can still be ended like all others. What it says in
 * the meantime stays in its log; nobody can read it.
 */
export function createUnavailableAgent(id: AgentId): AgentAdapter {
  const refuse = () =>
    Promise.reject(new ServiceError("conflict", { code: "agent-not-available", agent: id, hint: { code: "agent-removed" } }));
  return {
    id,
    name: id,
    capabilities: {
      commitsAtEnd: false,
      closesItself: false,
      reportsUsagePerMessage: false,
      mayEndSilently: true,
      readsHistoryFile: false,
      takesMcpServers: false,
      readsRepositorySettings: true,
      compressesHistory: false,
    },
    recordWriter: "driver",
    describe: refuse,
    createLaunch: refuse,
    createDecoder: () => ({ decode: () => [], snapshot: () => null }),
    encodeApproval: () => "",
  };
}
