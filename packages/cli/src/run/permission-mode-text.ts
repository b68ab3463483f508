import type { PermissionMode } from "@skein/contracts";

const effects: Readonly<Record<PermissionMode, string>> = {
  plan: "the agent only reads, and proposes a plan",
  ask: "the agent asks before it edits files or runs commands",
  "accept-edits": "the agent edits files, and asks before it runs commands",
  full: "the agent edits files and runs commands without asking",
};

/** What the agent of a run may do, and how to change that. */
export const describePermissionMode = (mode: PermissionMode): string =>
  `Permission mode ${mode}: ${effects[mode]}. Another one: --permission-mode; for every task: Settings, Defaults.`;
