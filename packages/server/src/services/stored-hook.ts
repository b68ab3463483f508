import { type Actor, createIncomingHookSchema, type IncomingHookId } from "@skein/contracts";
import type { StoredAutomation } from "@skein/engine";
import { z } from "zod";

const definitionSchema = createIncomingHookSchema.omit({ projectId: true, name: true }).extend({ salt: z.string() });

/** `salt`: makes a new secret; the secret itself is not stored. */
export type StoredHook = z.output<typeof createIncomingHookSchema> & {
  id: IncomingHookId;
  salt: string;
  by?: Actor;
  createdAt: number;
  updatedAt: number;
};

export function parseHook({ id, kind: _, definition, ...rest }: StoredAutomation): StoredHook {
  return { ...rest, id: id as IncomingHookId, ...definitionSchema.parse(definition) };
}

export function toHookRow({ id, projectId, name, by, createdAt, updatedAt, ...definition }: StoredHook): StoredAutomation {
  return { id, kind: "incoming-hook", projectId, name, definition, ...(by && { by }), createdAt, updatedAt };
}
