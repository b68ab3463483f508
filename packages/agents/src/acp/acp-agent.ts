import { basename } from "node:path";
import type { AgentId } from "@skein/contracts";
import type { DrivenAgentKind } from "../driver/create-driven-agent.ts";
import type { AcpOptions } from "./acp-options.ts";

/** `acp:<name>`: a program from the user's config that implements the Agent Client Protocol. */
export function createAcpAgentKind({ id, title, program }: { id: AgentId; title: string; program: string }): DrivenAgentKind {
  const options: AcpOptions = {
    files: { read: true, write: true },
    terminals: true,
  };
  return {
    id,
    name: title,
    program: { program, install: "see its own documentation", reportsVersion: false },
    environment: ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS", "npm_config_registry", "npm_config_cache"],
    // otherwise npx tries for 70 seconds to reach a registry
    fixedEnvironment: basename(program) === "npx" ? { npm_config_fetch_retries: "1" } : {},
    models: [],
    options,
    permissionControl: "if-it-asks",
    planSupport: "if-offered",
    ...acpModules,
  };
}

/** Shared by all ACP agents; loaded on first use. */
export const acpModules = {
  driver: "acp",
  systemPromptSupport: "none",
  loadDecoder: async () => (await import("./create-acp-decoder.ts")).createAcpDecoder,
  loadSessionList: async () => (await import("./list-acp-sessions.ts")).listAcpSessions,
} satisfies Partial<DrivenAgentKind>;
