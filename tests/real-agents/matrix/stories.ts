/** The stories that are tested with each agent, in the order of the matrix in docs/agents.md. */
export const stories = {
  cards: "Tool cards: reads, commands with output and exit code, diffs, failures",
  tokens: "Tokens are counted as the provider reported them",
  image: "An image reaches the model",
  "server-kill": "The Skein server is killed (`kill -9`): nothing is lost, nothing appears twice",
  resume: "The next message resumes the agent's session",
  allow: "Permission: allow once",
  deny: "Permission: deny, with a reason",
  always: "Permission: always allow",
  stop: "Stop: no process is left, and the next message continues",
  "error-401": "The key is rejected (401): the reason and the remedy are shown",
  "error-429": "Rate limit (429): the reason and the remedy are shown",
  "error-500": "The provider fails (500): the reason and the remedy are shown",
  "error-quota": "No quota left: the reason and the remedy are shown",
  "error-network": "The provider cannot be reached: the reason and the remedy are shown",
  continue: "Continue with another agent, and back",
} as const;

export type Story = keyof typeof stories;

export const storyNames = Object.keys(stories) as readonly Story[];

/** The tested agents, in the order of the matrix. */
export const testedAgents = {
  builtIn: ["native", "claude-code", "codex", "gemini", "opencode"],
  added: ["acp:qwen", "acp:claude-agent-acp", "acp:codex-acp", "acp:pi", "acp:copilot"],
} as const;

export const agentNames: readonly string[] = [...testedAgents.builtIn, ...testedAgents.added];

/** What an agent cannot do, or does in part, because its program or its protocol does not offer more. */
export interface Limit {
  offered: "partly" | "no";
  /** One or two sentences for users. */
  note: string;
  /** For errors: what is shown instead of our own sentence. */
  shown?: RegExp;
}
