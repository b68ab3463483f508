import { createExternalStore } from "../live/external-store.ts";

/** Asked for from elsewhere, before the board is there: it opens the field for a new task when it is. */
export const newTaskRequest = createExternalStore(false);
