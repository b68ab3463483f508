import { createExternalStore } from "../state/external-store.ts";

/** Asked for from elsewhere, before the settings are there: they open the dialog when they are. */
export const addAgentRequest = createExternalStore(false);
