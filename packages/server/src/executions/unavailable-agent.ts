import { drivenCapabilities } from "@skein/agents/driven";
import type { AgentId } from "@skein/contracts";
import { type AgentAdapter, ServiceError } from "@skein/engine";

/**
 * Placeholder for an agent that is no longer configured, so that its executions can be ended. Its output stays in the log and is not
 * decoded.
 */
export function createUnavailableAgent(id: AgentId): AgentAdapter {
  const refuse = () =>
    Promise.reject(new ServiceError("conflict", { code: "agent-not-available", agent: id, hint: { code: "agent-removed" } }));
  return {
    id,
    name: id,
    capabilities: drivenCapabilities,
    recordWriter: "driver",
    describe: refuse,
    createLaunch: refuse,
    createDecoder: () => ({ decode: () => [], snapshot: () => null }),
    encodeApproval: () => "",
  };
}
