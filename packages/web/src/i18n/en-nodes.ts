import { createPlural } from "./plural.ts";

const plural = createPlural("en");

/** Texts of Settings → Servers. */
export const nodesEn = {
  about: "Servers that share this database. Any of them serves every page; projects and attempts are on the machine of one.",
  own: "This one",
  states: { active: "Running", stopped: "Stopped", lost: "Lost", removed: "Removed" },
  draining: "Draining",
  renewed: (age: string) => `Lease renewed ${age} ago`,
  seen: (age: string) => `Last seen ${age} ago`,
  running: (count: number) => plural(count, { one: "# execution", other: "# executions" }),
  version: (version: string) => `Version ${version}`,
  otherVersion: "Another version than this server",
  drain: "Drain",
  drainHint: "Starts no agents on its machine and takes no projects; other servers do what they can",
  activate: "Activate",
  remove: "Remove",
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: "Executions on its machine are interrupted. If the server returns, its agents are stopped.",
  notNoticed: "It has not noticed yet.",
  canStop: "It can be stopped now.",
  mustWait: "Before it is stopped:",
  agents: (count: number) =>
    `${plural(count, { one: "# agent runs", other: "# agents run" })} on its machine. Under systemd they keep running while it is stopped; in a container they end.`,
  following: (count: number) =>
    `${plural(count, { one: "# execution on a worker has", other: "# executions on workers have" })} not been handed over yet.`,
  jobs: (count: number) => `${plural(count, { one: "# job", other: "# jobs" })} of its own.`,
  waiting: (count: number) => `${plural(count, { one: "# message waits", other: "# messages wait" })} until it is activated.`,
  workers: (count: number) =>
    `${plural(count, { one: "# worker stays", other: "# workers stay" })} connected: they know no other server that they can reach.`,
};
export type NodesText = typeof nodesEn;
