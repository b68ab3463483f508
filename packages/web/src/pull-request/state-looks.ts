import type { PullRequest } from "@skein/contracts";
import type { IconName } from "../ui/icon.tsx";

/** Icon and colour of each state of a pull request. */
export const stateLooks: Record<PullRequest["state"], { tone: string; icon: IconName }> = {
  open: { tone: "text-good", icon: "branch" },
  draft: { tone: "text-ink-soft", icon: "branch" },
  merged: { tone: "text-accent", icon: "check" },
  closed: { tone: "text-bad", icon: "cross" },
};
