import type { AgentHint } from "@skein/contracts";
import { toLogIn } from "./phrases.ts";
import type { TextFormats } from "./text-formats.ts";

const launchers: Readonly<Record<string, string>> = {
  npx: " It is part of Node.js: https://nodejs.org",
  uvx: " It is part of uv: https://docs.astral.sh/uv",
};

/** English formats of agent hints. */
export const agentHintFormats: TextFormats<AgentHint> = {
  "version-timed-out": ({ seconds }) => `it did not report its version within ${seconds} seconds`,
  "version-not-reported": "it did not report its version",
  "agent-not-installed": ({ agent, install }) => `${agent} is not installed. Run: ${install}`,
  "agent-command-unusable": ({ agent, program }) =>
    `${agent} cannot be started: the command “${program}” in your settings is not a program. Correct it there.`,
  "agent-launcher-missing": ({ agent, program }) =>
    `${agent} is started by ${program}, which is not on this machine.${launchers[program] ?? ""}`,
  "agent-does-not-start": ({ agent, reason, install }, format) => `${agent} does not start: ${format(reason)}. Reinstall it: ${install}`,
  "agent-too-old": ({ agent, version, least, install }) => `${agent} ${version} is too old: Skein needs ${least} or newer. Run: ${install}`,
  "agent-program-not-found": ({ agent, program, download }) =>
    `${agent} is not installed: there is no program “${program}” in your PATH.${download === undefined ? "" : ` Get it from ${download}`}`,
  "agent-turned-off": ({ agent }) => `${agent} is turned off. Turn it on in Settings → Agents.`,
  "agent-removed": "This agent was removed. Add it again in Settings → Agents, or continue with another agent.",
  "agent-not-logged-in": ({ agent, login }) => `${agent} is not logged in. ${toLogIn(login)}`,
  "no-model": "No model is configured.",
  "provider-key-missing": ({ variable }) => `Add its key in the settings, or set ${variable} before starting Skein.`,
};
