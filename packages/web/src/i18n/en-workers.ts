import { createPlural } from "./plural.ts";

const plural = createPlural("en");

/** Texts of Settings → Workers. */
export const workersEn = {
  about:
    "A worker is another machine that runs attempts, with its own agents and logins. It gets the repository from this server, and its work comes back as branches.",
  none: "There are no workers yet.",
  invite: "Add a worker",
  inviteHint: "Run this on the other machine within an hour. The code can be used once.",
  onlyHere:
    "This address works on this machine only. Other machines need one that they can reach, with https: start Skein with --public-url.",
  states: { connected: "Connected", offline: "Offline", draining: "Draining", invited: "Invited" },
  offlineSince: (time: string) => `Offline since ${time}`,
  running: (count: number, capacity: number) => `${count} of ${plural(capacity, { one: "# agent", other: "# agents" })} running`,
  waiting: (count: number) => plural(count, { one: "# message waits", other: "# messages wait" }),
  agents: "Agents",
  noAgents: "No agents found",
  tags: "Tags",
  otherVersion: "Another version than the server. To upgrade it: drain it, install the new version, start it again, and activate it.",
  fetching: (project: string, progress: string) => `Fetching ${project} from its remote${progress === "" ? "…" : `: ${progress}`}`,
  notFetched: (project: string, reason: string) => `${project} could not be fetched from its remote, so the server sent it: ${reason}`,
  drain: "Drain",
  drainHint: "Running agents finish; no new ones start",
  activate: "Activate",
  revoke: "Revoke invitation",
  remove: "Remove",
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: "What runs there is interrupted, and its agents are stopped. Its attempts can be moved to another machine.",
};
export type WorkersText = typeof workersEn;
