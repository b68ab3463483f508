import {
  type Actor,
  createId,
  type createTemplateSchema,
  type JsonValue,
  type ProjectId,
  startFormSchema,
  type Template,
  type TemplateId,
  type UpdateTemplate,
} from "@skein/contracts";
import { ServiceError, type StorageReader, type StoredAutomation } from "@skein/engine";
import type { z } from "zod";
import { getProject, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { parseHook } from "./stored-hook.ts";
import { parseSchedule } from "./stored-schedule.ts";

/** Tasks that are started again and again. */
export interface TemplateService {
  /** By name. `projectIds`: only of these. */
  list(query: { projectIds?: readonly ProjectId[] | undefined }): Promise<Template[]>;
  get(id: TemplateId): Promise<Template>;
  create(input: z.output<typeof createTemplateSchema>, by?: Actor): Promise<Template>;
  update(id: TemplateId, changes: UpdateTemplate): Promise<Template>;
  remove(id: TemplateId): Promise<void>;
}

export function createTemplateService({ storage, now }: Pick<ServiceContext, "storage" | "now">): TemplateService {
  return {
    list: async ({ projectIds }) => (await storage.read.listAutomations({ kind: "template", projectIds })).map(toTemplate),
    get: (id) => findTemplate(storage.read, id),
    create: ({ id, ...fields }, by) =>
      storage.transaction(async (tx) => {
        await getProject(tx, fields.projectId);
        const at = now();
        const known = id === undefined ? undefined : await tx.findAutomation({ id });
        if (known !== undefined) return assertSame(toTemplate(known), fields);
        const template: Template = { ...fields, id: id ?? createId("tpl", at), ...(by && { by }), createdAt: at, updatedAt: at };
        await tx.putAutomation(toRow(template));
        return template;
      }),
    update: (id, changes) =>
      storage.transaction(async (tx) => {
        const template = { ...(await findTemplate(tx, id)), ...changes, updatedAt: now() };
        await tx.putAutomation(toRow(template));
        return template;
      }),
    remove: (id) =>
      storage.transaction(async (tx) => {
        await refuseUsed(tx, id);
        if (!(await tx.deleteAutomation({ id }))) missing("template", id);
      }),
  };
}

/** What starts it would fail without it. */
async function refuseUsed(reader: StorageReader, id: TemplateId): Promise<void> {
  const schedules = (await reader.listAutomations({ kind: "schedule" })).map(parseSchedule);
  const hooks = (await reader.listAutomations({ kind: "incoming-hook" })).map(parseHook);
  const names = [...schedules, ...hooks]
    .filter(({ action }) => action.type === "template" && action.templateId === id)
    .map(({ name }) => name);
  if (names.length === 0) return;
  throw new ServiceError("conflict", { code: "template-in-use", names: names.slice(0, 5), more: Math.max(0, names.length - 5) });
}

/** Throws a `ServiceError` if there is none. */
export async function findTemplate(reader: Pick<StorageReader, "findAutomation">, id: TemplateId): Promise<Template> {
  const stored = await reader.findAutomation({ id });
  return stored === undefined ? missing("template", id) : toTemplate(stored);
}

function toTemplate({ id, kind: _, definition, ...rest }: StoredAutomation): Template {
  return { ...rest, id: id as TemplateId, ...startFormSchema.parse(definition) };
}

function toRow({ id, projectId, name, by, createdAt, updatedAt, ...form }: Template): StoredAutomation {
  const definition: JsonValue = form;
  return { id, kind: "template", projectId, name, definition, ...(by && { by }), createdAt, updatedAt };
}

function assertSame(made: Template, wanted: Omit<z.output<typeof createTemplateSchema>, "id">): Template {
  const fields = Object.keys(wanted) as (keyof typeof wanted)[];
  if (fields.some((field) => made[field] !== wanted[field])) throw new ServiceError("conflict", { code: "request-id-reused" });
  return made;
}
