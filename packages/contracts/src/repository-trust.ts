import { z } from "zod";
import { repositoryTextSchema } from "./coded-texts/repository-text.ts";
import { attemptIdSchema, taskIdSchema } from "./ids.ts";

/*
 * What a repository contains that runs programs: scripts for its worktrees, settings for agents. Nothing of it is used before the user
 * trusts it (X8). Trust covers the files that its commands name or load (X16): if one of them differs, the user is asked again.
 */

/** 64 hexadecimal digits. */
export const contentHashSchema = z.string().regex(/^[0-9a-f]{64}$/, "expected the hash that was shown");

/** `changed`: another version was trusted before. */
export const trustStateSchema = z.enum(["none", "trusted", "changed"]);
export type TrustState = z.infer<typeof trustStateSchema>;

/** The folder to look at: the attempt's worktree, or by default the project's own folder. */
export const trustPlaceSchema = z.object({ attemptId: attemptIdSchema.optional() });
export type TrustPlace = z.infer<typeof trustPlaceSchema>;

/** Trusts exactly what was shown. */
export const trustContentSchema = trustPlaceSchema.extend({ hash: contentHashSchema });
export type TrustContent = z.infer<typeof trustContentSchema>;

/** A file that a trusted command names or loads and that differs from what was trusted. */
export const trustedFileChangeSchema = z.object({
  path: z.string(),
  change: z.enum(["added", "changed"]),
  /** Unified diff against the trusted content; null if there is none to show: binary, too long, or not kept. */
  patch: z.string().nullable(),
});
export type TrustedFileChange = z.infer<typeof trustedFileChangeSchema>;

const coveredFiles = {
  /** Repository files that trust covers: those that its commands name or load. */
  files: z.array(z.string()),
  /** Those that differ from what was trusted last; empty if nothing was trusted. */
  changes: z.array(trustedFileChangeSchema),
};

/** Why it cannot be used or trusted: one English sentence, and the same as data. */
const problem = { problem: z.string().optional(), problemText: repositoryTextSchema.optional() };

const scriptSchema = z.string().trim().min(1, "must not be empty").max(20_000);

/** The file `.skein/project.json` of a repository. */
export const projectScriptsFileSchema = z.strictObject({
  /** Run with `sh` in a new worktree, before its first agent. */
  setup: scriptSchema.optional(),
  /** Run with `sh` in a worktree, before it is removed. */
  cleanup: scriptSchema.optional(),
  /** For each of the two. */
  timeoutSeconds: z.int().min(1).max(3600).default(600),
  /** Run with `sh` in the folder of an attempt, after its agent: exit code 0 means that the work passes. */
  check: scriptSchema.optional(),
  /** For `check`. */
  checkTimeoutSeconds: z
    .int()
    .min(1)
    .max(4 * 3600)
    .default(1800),
  /** Run with `sh` in the folder of an attempt on request: a server that listens on `$SKEIN_PORT`, until it is stopped. */
  dev: scriptSchema.optional(),
  /** Untracked files to copy from the project's folder into a new worktree: paths or patterns. */
  copy: z
    .array(
      z
        .string()
        .min(1)
        .max(500)
        .refine((path) => !path.startsWith("/") && !path.split(/[\\/]/).includes(".."), {
          error: "must stay inside the repository",
          params: { rule: "inside-repository" },
        }),
    )
    .max(100)
    .default([]),
});
export type ProjectScriptsFile = z.infer<typeof projectScriptsFileSchema>;

/** The content of `.skein/project.json`, and whether it is trusted. */
export const projectScriptsSchema = z.object({
  setup: z.string().nullable(),
  cleanup: z.string().nullable(),
  timeoutSeconds: z.int().nullable(),
  check: z.string().nullable(),
  checkTimeoutSeconds: z.int().nullable(),
  dev: z.string().nullable(),
  copy: z.array(z.string()),
  /** Null if there is nothing to trust. */
  hash: contentHashSchema.nullable(),
  trust: trustStateSchema,
  ...coveredFiles,
  ...problem,
});
export type ProjectScripts = z.infer<typeof projectScriptsSchema>;

/** Settings that agents read from the repository itself, and the files that they name. */
export const agentSettingsSchema = z.object({
  ...coveredFiles,
  hash: contentHashSchema.nullable(),
  trust: trustStateSchema,
  ...problem,
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
  ...problem,
});
export type GitHooks = z.infer<typeof gitHooksSchema>;

/** Whether the repository uses Git LFS, and the server from which missing files are downloaded once it is trusted. */
export const gitLfsSchema = z.object({
  isUsed: z.boolean(),
  /** The server's address, without a password; null if there is no usable one. */
  url: z.string().nullable(),
  /** Path of the user's git-lfs; null if it is not installed. */
  program: z.string().nullable(),
  ...coveredFiles,
  hash: contentHashSchema.nullable(),
  trust: trustStateSchema,
  ...problem,
});
export type GitLfs = z.infer<typeof gitLfsSchema>;

/** An attempt whose folder differs from what is trusted, so that it is not used there. */
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
