import { z } from "zod";

/*
 * What a repository brings along that runs programs: scripts for its worktrees, settings for agents. Nothing of it counts
 * before the person has trusted it as it is (X8): trust is bound to a hash, and gone when what it was given to changes.
 */

/** 64 hexadecimal digits. */
export const contentHashSchema = z.string().regex(/^[0-9a-f]{64}$/, "expected the hash that was shown");

/** `changed`: something else was trusted here before. */
export const trustStateSchema = z.enum(["none", "trusted", "changed"]);
export type TrustState = z.infer<typeof trustStateSchema>;

/** What was shown is what is trusted. */
export const trustContentSchema = z.object({ hash: contentHashSchema });
export type TrustContent = z.infer<typeof trustContentSchema>;

const scriptSchema = z.string().trim().min(1, "must not be empty").max(20_000);

/** The file `.skein/project.json` of a repository. */
export const projectScriptsFileSchema = z.strictObject({
  /** Run with `sh` in a new worktree, before its first agent. */
  setup: scriptSchema.optional(),
  /** Run with `sh` in a worktree, before it is removed. */
  cleanup: scriptSchema.optional(),
  /** For each of the two. */
  timeoutSeconds: z.int().min(1).max(3600).default(600),
  /** Files that git does not have, copied from the project's folder into a new worktree: paths or patterns. */
  copy: z
    .array(
      z
        .string()
        .min(1)
        .max(500)
        .refine((path) => !path.startsWith("/") && !path.split(/[\\/]/).includes(".."), "must stay inside the repository"),
    )
    .max(100)
    .default([]),
});
export type ProjectScriptsFile = z.infer<typeof projectScriptsFileSchema>;

export const projectScriptsSchema = z.object({
  setup: z.string().nullable(),
  cleanup: z.string().nullable(),
  timeoutSeconds: z.int().nullable(),
  copy: z.array(z.string()),
  /** Null when there is nothing to trust. */
  hash: contentHashSchema.nullable(),
  trust: trustStateSchema,
  /** Why it cannot be used: one sentence. */
  problem: z.string().optional(),
});
export type ProjectScripts = z.infer<typeof projectScriptsSchema>;

/** Settings that agents read from the repository itself. */
export const agentSettingsSchema = z.object({
  files: z.array(z.string()),
  hash: contentHashSchema.nullable(),
  trust: trustStateSchema,
  problem: z.string().optional(),
});
export type AgentSettings = z.infer<typeof agentSettingsSchema>;
