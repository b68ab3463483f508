import { login, type TextOf, text, toTextSchema } from "./text-shapes.ts";

const agent = { agent: text };

/** Why an agent or a provider cannot be used here, and what to do. */
export const agentHintShapes = {
  "agent-not-installed": { ...agent, install: text },
  "agent-command-unusable": { ...agent, program: text },
  "agent-launcher-missing": { ...agent, program: text },
  "agent-does-not-start": { ...agent, reason: text, install: text },
  "agent-too-old": { ...agent, version: text, least: text, install: text },
  "agent-program-not-found": { ...agent, program: text, download: text.exactOptional() },
  "agent-turned-off": agent,
  "agent-removed": {},
  "agent-not-logged-in": { ...agent, login },
  "no-model": {},
  "provider-key-missing": { variable: text },
};

export const agentHintSchema = toTextSchema(agentHintShapes);
export type AgentHint = TextOf<typeof agentHintShapes>;
