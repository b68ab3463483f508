import {
  approvalIdSchema,
  attemptIdSchema,
  commentIdSchema,
  executionIdSchema,
  grantIdSchema,
  incomingHookIdSchema,
  messageIdSchema,
  outgoingHookIdSchema,
  projectIdSchema,
  queuedMessageIdSchema,
  scheduleIdSchema,
  taskIdSchema,
  templateIdSchema,
} from "@skein/contracts";
import type { z } from "zod";

/** Ids of what belongs to a project. */
const idSchemas: ReadonlySet<unknown> = new Set([
  projectIdSchema,
  taskIdSchema,
  attemptIdSchema,
  executionIdSchema,
  messageIdSchema,
  queuedMessageIdSchema,
  approvalIdSchema,
  commentIdSchema,
  grantIdSchema,
  templateIdSchema,
  scheduleIdSchema,
  incomingHookIdSchema,
  outgoingHookIdSchema,
]);

interface Definition {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  options?: readonly z.ZodType[];
  in?: z.ZodType;
  out?: z.ZodType;
  getter?: () => z.ZodType;
}

/**
 * The ids of a parsed request, found by its schema: whatever a route names is checked, without a list that could be incomplete. Texts that
 * look like an id are not ids.
 */
export function collectIds(schema: z.ZodType | undefined, value: unknown): string[] {
  const found = new Set<string>();
  if (schema !== undefined) collect(schema, value, found);
  return [...found];
}

function collect(schema: z.ZodType, value: unknown, found: Set<string>): void {
  if (value === undefined || value === null) return;
  if (idSchemas.has(schema)) {
    if (schema.safeParse(value).success) found.add(String(value));
    return;
  }
  const definition = schema.def as unknown as Definition;
  switch (definition.type) {
    case "object":
      if (typeof value !== "object") return;
      for (const [name, field] of Object.entries(definition.shape ?? {})) collect(field, (value as Record<string, unknown>)[name], found);
      return;
    case "array":
      if (!Array.isArray(value) || definition.element === undefined) return;
      for (const item of value) collect(definition.element, item, found);
      return;
    case "record":
      if (typeof value !== "object" || definition.valueType === undefined) return;
      for (const item of Object.values(value)) collect(definition.valueType, item, found);
      return;
    case "union":
      // also those that do not accept the value: rather one id too many than one that is not checked
      for (const option of definition.options ?? []) collect(option, value, found);
      return;
    case "pipe":
      if (definition.out !== undefined) collect(definition.out, value, found);
      if (definition.out?.def.type === "transform" && definition.in !== undefined) collect(definition.in, value, found);
      return;
    case "lazy":
      if (definition.getter !== undefined) collect(definition.getter(), value, found);
      return;
    default:
      if (definition.innerType !== undefined) collect(definition.innerType, value, found);
  }
}
