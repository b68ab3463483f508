import type { Template } from "@skein/contracts";
import { createExternalStore } from "../state/external-store.ts";

/** True while the composer for a new task is open: any page can ask for it. */
export const newTaskRequest = createExternalStore(false);

/** The template that the next composer begins with. */
export const templateRequest = createExternalStore<Template | null>(null);
