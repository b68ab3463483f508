import type { AgentHint } from "@skein/contracts";
import { type AgentAdapter, AgentUnusableError, formatText } from "@skein/engine";

/** An agent that is not started, for the reason given; what it says while it still runs, and has said, is read as before. */
export function withholdAgent(adapter: AgentAdapter, hint: AgentHint): AgentAdapter {
  return {
    ...adapter,
    async describe() {
      const { version: _version, path: _path, ...info } = await adapter.describe();
      return { ...info, available: false, hint: formatText(hint), hintText: hint };
    },
    createLaunch: () => Promise.reject(new AgentUnusableError(hint)),
  };
}
