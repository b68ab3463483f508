import type { AgentId } from "@skein/contracts";
import { createAcpAgentKind } from "./acp/acp-agent.ts";
import { claudeCodeAgent } from "./claude-code/claude-code-agent.ts";
import { codexKind } from "./codex/codex-agent.ts";
import { createCommandAgentKind } from "./command/command-agent.ts";
import type { DrivenAgentKind } from "./driver/create-driven-agent.ts";
import { geminiAgentKind } from "./gemini/gemini-agent.ts";
import { opencodeAgentKind } from "./opencode/opencode-agent.ts";

export {
  createDrivenAgent,
  type DrivenAgentHost,
  type DrivenAgentKind,
  type DrivenAgentSettings,
  drivenCapabilities,
} from "./driver/create-driven-agent.ts";

/** The agents that are detected on every machine. */
export const drivenAgentKinds: readonly DrivenAgentKind[] = [claudeCodeAgent, codexKind, geminiAgentKind, opencodeAgentKind];

/** An agent that is defined by its command in the user's config; undefined for built-in ones. */
export function toConfiguredKind(
  id: AgentId,
  settings: { command?: readonly [string, ...string[]] | undefined; name?: string | undefined },
): DrivenAgentKind | undefined {
  const [, kind, name] = /^(acp|command):(.+)$/.exec(id) ?? [];
  if (kind === undefined || name === undefined || settings.command === undefined) return undefined;
  const title = settings.name ?? name;
  const createKind = kind === "acp" ? createAcpAgentKind : createCommandAgentKind;
  return createKind({ id, title, program: settings.command[0] });
}
