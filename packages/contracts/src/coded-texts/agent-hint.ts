import { z } from "zod";
import { count, login, type TextOf, text, toTextSchema } from "./text-shapes.ts";

const agent = { agent: text };

/** Why a program did not report its version: a phrase. */
const versionProblems = {
  "version-timed-out": { seconds: count },
  "version-not-reported": {},
};
/** As data, or the program's own error message. */
const versionProblemSchema = z.union([text, toTextSchema(versionProblems)]);
export type VersionProblem = z.infer<typeof versionProblemSchema>;

/** Why an agent or a provider cannot be used here, and what to do. */
export const agentHintShapes = {
  ...versionProblems,
  "agent-not-installed": { ...agent, install: text },
  "agent-command-unusable": { ...agent, program: text },
  "agent-launcher-missing": { ...agent, program: text },
  "agent-does-not-start": { ...agent, reason: versionProblemSchema, install: text },
  "agent-too-old": { ...agent, version: text, least: text, install: text },
  "agent-program-not-found": { ...agent, program: text, download: text.exactOptional() },
  "agent-turned-off": agent,
  "agent-removed": {},
  "agent-not-logged-in": { ...agent, login },
  "no-model": {},
  "provider-key-missing": { variable: text },
};

/** Parses an agent hint. */
export const agentHintSchema = toTextSchema(agentHintShapes);
/** What a user can do to make an agent available. */
export type AgentHint = TextOf<typeof agentHintShapes>;
