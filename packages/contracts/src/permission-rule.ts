import { z } from "zod";
import { permissionRuleIdSchema, projectIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** What a person allows for good: a tool, or for a command only those that begin with these words. */
export const permissionGrantSchema = z.object({
  tool: z.string().min(1).max(200),
  /** Whole words: `git status` allows `git status --short`, not `git statusx`. Null allows every call of the tool. */
  commandPrefix: z.string().min(1).max(500).nullable(),
});
export type PermissionGrant = z.infer<typeof permissionGrantSchema>;

/** A grant that was remembered for a project. */
export const permissionRuleSchema = permissionGrantSchema.extend({
  id: permissionRuleIdSchema,
  projectId: projectIdSchema,
  createdAt: timestampSchema,
});
export type PermissionRule = z.infer<typeof permissionRuleSchema>;
