import { createExternalStore } from "../state/external-store.ts";
import type { GitAction } from "./to-git-bar.ts";

/** Asked for from elsewhere, before the bar is there: it starts the action when it knows the state of the branch. */
export const gitRequest = createExternalStore<Exclude<GitAction, "resolve" | "undo-land" | "safety-copies"> | null>(null);
