import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { agentIdSchema, permissionModeSchema, requestedModelSchema } from "./agent.ts";
import { projectIdSchema, templateIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { sandboxSchema } from "./sandbox.ts";
import { taskFieldsSchema } from "./task.ts";

/** The name of a template, a schedule or a webhook. */
export const automationNameSchema = z.string().trim().min(1, "must not be empty").max(100);

/**
 * What a task is started with by itself, or again and again. Prompt and title may have variables: `{{name}}`. Null: as the settings say; the
 * title: the prompt's first words; the base branch: the one that is checked out in the project.
 */
export const startFormSchema = z.object({
  prompt: z
    .string()
    .max(100_000)
    .refine((text) => text.trim() !== "", "must not be empty"),
  title: taskFieldsSchema.shape.title.nullable().default(null),
  agent: agentIdSchema.nullable().default(null),
  model: requestedModelSchema.nullable().default(null),
  permissionMode: permissionModeSchema.nullable().default(null),
  sandbox: sandboxSchema.nullable().default(null),
  baseBranch: z.string().min(1).max(500).nullable().default(null),
});
export type StartForm = z.infer<typeof startFormSchema>;

/** A task that is started again and again, by its name. */
export const templateSchema = z.object({
  id: templateIdSchema,
  projectId: projectIdSchema,
  name: z.string(),
  ...startFormSchema.shape,
  /** Who created it. */
  by: actorSchema.exactOptional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type Template = z.infer<typeof templateSchema>;

/** A new template. */
export const createTemplateSchema = z.object({
  projectId: projectIdSchema,
  name: automationNameSchema,
  ...startFormSchema.shape,
  /** Chosen by the client. Repeating an id with the same content returns the template that it created. */
  id: templateIdSchema.optional(),
});
/** A new template in a request, before defaults. */
export type CreateTemplate = z.input<typeof createTemplateSchema>;

const { prompt, title, agent, model, permissionMode, sandbox, baseBranch } = startFormSchema.shape;
/** Changes of a template; absent fields keep their values. */
export const updateTemplateSchema = z.object({
  name: automationNameSchema.exactOptional(),
  prompt: prompt.exactOptional(),
  title: title.unwrap().exactOptional(),
  agent: agent.unwrap().exactOptional(),
  model: model.unwrap().exactOptional(),
  permissionMode: permissionMode.unwrap().exactOptional(),
  sandbox: sandbox.unwrap().exactOptional(),
  baseBranch: baseBranch.unwrap().exactOptional(),
});
export type UpdateTemplate = z.infer<typeof updateTemplateSchema>;
