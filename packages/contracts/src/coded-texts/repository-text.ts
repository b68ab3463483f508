import { z } from "zod";
import { issueTextSchema, issueTextShapes } from "./issue-text.ts";
import { count, type TextOf, text, toTextSchema } from "./text-shapes.ts";

const path = { path: text };
const server = { server: text };

/** Why the files that commands of a repository name or load cannot be listed, and so not be trusted. */
const loadedFilesProblems = {
  "loading-folder-missing": {},
  "loaded-files-too-many": { max: count },
  "loaded-file-unreadable": path,
};
/** Parses the reason why loaded files cannot be listed. */
export const loadedFilesProblemSchema = toTextSchema(loadedFilesProblems);
/** Why the files that a command loads cannot be listed. */
export type LoadedFilesProblem = TextOf<typeof loadedFilesProblems>;
const untrusted = { reason: loadedFilesProblemSchema };

/** Why an MCP server cannot be used as it is defined. */
const mcpDefinitionProblems = {
  "mcp-transport-outdated": {},
  "mcp-type-unknown": { type: text },
};
const mcpProblems = {
  "mcp-servers-not-an-object": {},
  "mcp-servers-too-many": { count, max: count },
  "mcp-server-unusable": { ...server, field: text, reason: z.union([toTextSchema(mcpDefinitionProblems), issueTextSchema]) },
  "mcp-variables-missing": { ...server, variables: z.array(text) },
  "mcp-url-invalid": server,
};
/** Parses a problem of an MCP server's definition. */
export const mcpProblemSchema = toTextSchema(mcpProblems);
/** A problem of an MCP server's definition. */
export type McpProblem = TextOf<typeof mcpProblems>;

/** Why a file cannot be used: a phrase that follows its path. */
const fileProblems = {
  "file-is-link": {},
  "file-unreadable": { error: text },
  "file-not-regular": {},
  "file-too-large": { maxBytes: count },
  "file-missing": {},
  "file-not-json": {},
  "file-without-servers": {},
  "field-invalid": { field: text, issue: issueTextSchema },
};
/** Parses the reason why a file cannot be used. */
export const fileProblemSchema = toTextSchema(fileProblems);
/** Why a file cannot be used. */
export type FileProblem = TextOf<typeof fileProblems>;

/** Why something in a repository that runs programs cannot be used or trusted: scripts, agents' settings, MCP servers, Git LFS. */
export const repositoryTextShapes = {
  ...issueTextShapes,
  ...loadedFilesProblems,
  ...mcpDefinitionProblems,
  ...mcpProblems,
  ...fileProblems,
  "repository-file-unusable": { ...path, reason: fileProblemSchema },
  /** What is wrong inside a file that is used otherwise. */
  "in-repository-file": { ...path, problem: mcpProblemSchema },
  "scripts-untrustable": untrusted,
  "mcp-server-untrustable": { ...server, ...untrusted },
  "settings-untrustable": untrusted,
  "settings-link": path,
  "settings-too-many": { max: count },
  "settings-file-untrustable": { ...path, reason: fileProblemSchema },
  "hooks-untrustable": untrusted,
  "hook-untrustable": { hook: text, reason: fileProblemSchema },
  "git-settings-included": {},
  "trust-unreadable": path,
  "lfs-server-missing": {},
  "lfs-protocol-unsupported": {},
  "copy-too-much": { pattern: text },
  "copy-outside": path,
};

/** Parses a problem of a repository's scripts, settings, MCP servers or Git LFS. */
export const repositoryTextSchema = toTextSchema(repositoryTextShapes);
/** A problem of a repository's scripts, settings, MCP servers or Git LFS. */
export type RepositoryText = TextOf<typeof repositoryTextShapes>;
