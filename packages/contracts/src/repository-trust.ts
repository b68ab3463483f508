import { z } from "zod";
import { attemptIdSchema, taskIdSchema } from "./ids.ts";

/*
 * What a repository contains that runs programs: scripts for its worktrees, settings for agents. Nothing of it is used
 * before the user trusts it (X8). Trust covers the files that its commands name or load (X16): where one of them differs,
 * the user is asked again.
 */

/** 64 hexadecimal digits. */
export const contentHashSchema = z.string().regex(/^[0-9a-f]{64}$/, "expected the hash that was shown");

/** `changed`: something else was trusted here before. */
export const trustStateSchema = z.enum(["none", "trusted", "changed"]);
export type TrustState = z.infer<typeof trustStateSchema>;

/** Whose folder is looked at: the attempt's worktree, or the project's own folder when left out. */
export const trustPlaceSchema = z.object({ attemptId: attemptIdSchema.optional() });
export type TrustPlace = z.infer<typeof trustPlaceSchema>;

/** What was shown is what is trusted. */
export const trustContentSchema = trustPlaceSchema.extend({ hash: contentHashSchema });
export type TrustContent = z.infer<typeof trustContentSchema>;

/** A file that a trusted command names or loads and that differs from what was trusted. */
export const trustedFileChangeSchema = z.object({
  path: z.string(),
  change: z.enum(["added", "changed"]),
  /** Unified diff against the trusted content; null where there is none to show: binary, too long, or not kept. */
  patch: z.string().nullable(),
});
export type TrustedFileChange = z.infer<typeof trustedFileChangeSchema>;

const coveredFiles = {
  /** Files of the repository that trust covers: what its commands name or load. */
  files: z.array(z.string()),
  /** Which of them differ from what was trusted last; empty where nothing was trusted. */
  changes: z.array(trustedFileChangeSchema),
};

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

/** What `.skein/project.json` asks for. */
export const projectScriptsSchema = z.object({
  setup: z.string().nullable(),
  cleanup: z.string().nullable(),
  timeoutSeconds: z.int().nullable(),
  copy: z.array(z.string()),
  /** Null when there is nothing to trust. */
  hash: contentHashSchema.nullable(),
  trust: trustStateSchema,
  ...coveredFiles,
  /** Why it cannot be used: one sentence. */
  problem: z.string().optional(),
});
export type ProjectScripts = z.infer<typeof projectScriptsSchema>;

/** Settings that agents read from the repository itself, and the files that they name. */
export const agentSettingsSchema = z.object({
  ...coveredFiles,
  hash: contentHashSchema.nullable(),
  trust: trustStateSchema,
  problem: z.string().optional(),
});
export type AgentSettings = z.infer<typeof agentSettingsSchema>;

/** Hooks that git would run with a commit or a push, and what trust in them covers: the repository's git settings as well. */
export const gitHooksSchema = z.object({
  /** With their text, in the order in which git runs them. */
  hooks: z.array(z.object({ name: z.string(), text: z.string() })),
  /** Settings of the repository that can name programs: hooks that call git make it read them. */
  settings: z.array(z.string()),
  ...coveredFiles,
  hash: contentHashSchema.nullable(),
  trust: trustStateSchema,
  problem: z.string().optional(),
});
export type GitHooks = z.infer<typeof gitHooksSchema>;

/** Whether files of the repository are stored with Git LFS, and where missing ones are downloaded from once that is trusted. */
export const gitLfsSchema = z.object({
  isUsed: z.boolean(),
  /** The address of the server, without a password; null where there is none that could be used. */
  url: z.string().nullable(),
  /** The user's own git-lfs, which would run; null where it is not installed. */
  program: z.string().nullable(),
  ...coveredFiles,
  hash: contentHashSchema.nullable(),
  trust: trustStateSchema,
  problem: z.string().optional(),
});
export type GitLfs = z.infer<typeof gitLfsSchema>;

/** An attempt in whose folder something differs from what is trusted, so that it is not used there. */
export const trustChangeSchema = z.object({
  attemptId: attemptIdSchema,
  attemptNumber: z.int().positive(),
  taskId: taskIdSchema,
  taskTitle: z.string(),
  scripts: z.boolean(),
  agentSettings: z.boolean(),
  hooks: z.boolean(),
  /** By name. */
  mcpServers: z.array(z.string()),
});
export type TrustChange = z.infer<typeof trustChangeSchema>;
