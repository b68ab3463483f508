const names: Record<string, string> = {
  native: "Skein",
  "claude-code": "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  opencode: "opencode",
};

/** Used while the list of agents is not loaded. */
export function agentName(id: string): string {
  return names[id] ?? id.replace(/^(?:acp|command):/, "");
}
