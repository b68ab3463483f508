import type { AgentId } from "@skein/contracts";
import type { DrivenAgentKind } from "../driver/create-driven-agent.ts";

/** `command:<name>`: a program from the user's config that reads a prompt on stdin and prints text. */
export function createCommandAgentKind({ id, title, program }: { id: AgentId; title: string; program: string }): DrivenAgentKind {
  return {
    id,
    name: title,
    driver: "command",
    program: { program, install: "see its own documentation", reportsVersion: false },
    environment: [],
    models: [],
    permissionControl: "none",
    planSupport: "none",
    systemPromptSupport: "none",
    loadDecoder: async () => (await import("./create-text-decoder.ts")).createTextDecoder,
  };
}
