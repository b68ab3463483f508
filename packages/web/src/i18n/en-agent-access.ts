/** Texts of Settings → Skein for agents. */
export const agentAccessEn = {
  about:
    "Agents can use Skein as an MCP server: start tasks that other agents do, wait for them, and read conversations and changes. They never answer their own approvals.",
  connect: "Connect an agent outside of Skein",
  connectText:
    "Run the command of your agent once. It starts skein mcp, which uses this server while it runs, with a token of its own that ends with it.",
  openConfig: (file: string) => `Add this to ${file}:`,
  http: "Programs that cannot start a command use this address, with a token from below as the header Authorization: Bearer.",
  skill: "A skill teaches agents when and how to use it. It is installed for the agents of this user:",
  inside: "Agents inside Skein",
  insideText:
    "An agent of a project that is switched on gets a token for its own execution and project only. What it starts may do no more without asking than itself. Applies from the next message.",
  noProjects: "There are no projects yet.",
  limits: "Limits for agents inside Skein",
  unlimited: "No limit",
  depth: "Levels",
  depthEffect: "1: agents may start others, but those may not.",
  starts: "Executions",
  startsEffect: "How many may be started below one message of yours.",
  cost: "Cost in US dollars",
  costEffect: "After this reported cost, nothing more is started below one message of yours.",
};
export type AgentAccessText = typeof agentAccessEn;
