import { type Actor, createScheduleSchema, type ScheduleId } from "@skein/contracts";
import type { StoredAutomation } from "@skein/engine";
import type { z } from "zod";

const definitionSchema = createScheduleSchema.omit({ projectId: true, name: true });

export type StoredSchedule = z.output<typeof createScheduleSchema> & {
  id: ScheduleId;
  by?: Actor;
  createdAt: number;
  updatedAt: number;
};

export function parseSchedule({ id, kind: _, definition, ...rest }: StoredAutomation): StoredSchedule {
  return { ...rest, id: id as ScheduleId, ...definitionSchema.parse(definition) };
}

export function toScheduleRow({ id, projectId, name, by, createdAt, updatedAt, ...definition }: StoredSchedule): StoredAutomation {
  return { id, kind: "schedule", projectId, name, definition, ...(by && { by }), createdAt, updatedAt };
}
