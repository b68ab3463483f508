import type { AgentHint } from "@skein/contracts";
import { type AgentAdapter, AgentUnusableError, formatText } from "@skein/engine";

/** Disables starting an agent, with a hint why. Running executions and existing logs are still read. */
export function withholdAgent(adapter: AgentAdapter, hint: AgentHint): AgentAdapter {
  return {
    ...adapter,
    async describe() {
      const { version: _version, path: _path, ...info } = await adapter.describe();
      return { ...info, available: false, hint: formatText(hint), hintText: hint };
    },
    createLaunch: () => Promise.reject(new AgentUnusableError(hint)),
    getProgram: () => Promise.reject(new AgentUnusableError(hint)),
  };
}
