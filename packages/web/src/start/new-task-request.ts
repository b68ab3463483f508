import { createExternalStore } from "../state/external-store.ts";

/** True while the composer for a new task is open: any page can ask for it. */
export const newTaskRequest = createExternalStore(false);
