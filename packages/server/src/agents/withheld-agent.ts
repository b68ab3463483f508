import { ServiceError } from "@skein/contracts";
import type { AgentAdapter } from "@skein/engine";

/** An agent that is not started, for the reason given; what it says while it still runs, and has said, is read as before. */
export function withholdAgent(adapter: AgentAdapter, hint: string): AgentAdapter {
  return {
    ...adapter,
    async describe() {
      const { version: _version, path: _path, ...info } = await adapter.describe();
      return { ...info, available: false, hint };
    },
    createLaunch: () => Promise.reject(new ServiceError("conflict", "agent-not-available", hint)),
  };
}
