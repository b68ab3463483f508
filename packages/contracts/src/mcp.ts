import { z } from "zod";
import { repositoryTextSchema } from "./coded-texts/repository-text.ts";
import { trustedFileChangeSchema, trustPlaceSchema } from "./repository-trust.ts";

/*
 * Servers of the Model Context Protocol, whose tools the native agent can use. A user's own configuration is trusted
 * because they wrote it; what a repository names runs nothing before the user has trusted it (X8).
 */

/** The name of a server, which is part of the names of its tools. */
export const mcpServerNameSchema = z.stringFormat(
  "mcp-server-name",
  /^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,63}$/u,
  "expected a name of letters, digits, spaces, dots, dashes and underscores, at most 64",
);

const textSchema = z.string().max(10_000);
const variablesSchema = z.record(z.string().min(1).max(200), textSchema);

/** A server that Skein starts and talks to over stdin and stdout. */
export const mcpStdioServerSchema = z.object({
  type: z.literal("stdio"),
  name: mcpServerNameSchema,
  command: textSchema.min(1),
  args: z.array(textSchema).max(200),
  env: variablesSchema,
});
/** A server that is reached over streamable HTTP. */
export const mcpHttpServerSchema = z.object({
  type: z.literal("http"),
  name: mcpServerNameSchema,
  url: textSchema.min(1),
  headers: variablesSchema,
});

/** How a server is reached, as it is written down: `${NAME}` is not yet replaced. */
export const mcpServerDefinitionSchema = z.discriminatedUnion("type", [mcpStdioServerSchema, mcpHttpServerSchema]);
export type McpServerDefinition = z.infer<typeof mcpServerDefinitionSchema>;

/** Tool name → hash of its description and schema. */
export const mcpToolHashesSchema = z.record(z.string(), z.string());
export type McpToolHashes = z.infer<typeof mcpToolHashesSchema>;

/** A server that an agent may start. */
export const usableMcpServerSchema = z.object({
  definition: mcpServerDefinitionSchema,
  /** The tools as they were when the user trusted the server: others are not offered. Null: whatever it has. */
  trustedTools: mcpToolHashesSchema.nullable(),
  /**
   * SHA-256 of each file of the repository that the server may load, by path: where it loads another one, or a file
   * differs, it is neither started nor called (X16). Left out for servers of the user's own settings.
   */
  trustedFiles: z.record(z.string(), z.string()).optional(),
});
export type UsableMcpServer = z.infer<typeof usableMcpServerSchema>;

/** 64 hexadecimal digits: what a user's trust is bound to. */
export const mcpServerHashSchema = z.string().regex(/^[0-9a-f]{64}$/, "expected the hash that the list of servers gives");

/** Trust in a server as it was shown: the hash names its definition. */
export const trustMcpServerSchema = trustPlaceSchema.extend({ hash: mcpServerHashSchema });
export type TrustMcpServer = z.infer<typeof trustMcpServerSchema>;

/** What users are shown of a server before and after trusting it. */
export const mcpServerInfoSchema = z.object({
  name: z.string(),
  /** `config`: the user's own settings. `project`: a file of the repository. */
  source: z.enum(["config", "project"]),
  /** `overridden`: the user's settings have a server of this name, which is used instead. */
  state: z.enum(["trusted", "new", "changed", "overridden"]),
  hash: mcpServerHashSchema,
  /** Values of the user's own variables and headers are left out: they may be keys. */
  definition: mcpServerDefinitionSchema,
  /** Files of the repository that trust covers: those that the command names or loads. */
  files: z.array(z.string()),
  /** Which of them differ from what was trusted last. */
  changes: z.array(trustedFileChangeSchema),
  /** Why it cannot be trusted: one English sentence. */
  problem: z.string().optional(),
  /** `problem` as data. */
  problemText: repositoryTextSchema.optional(),
  /** The names of the tools that were trusted; absent where trust is not bound to them. */
  trustedTools: z.array(z.string()).optional(),
});
export type McpServerInfo = z.infer<typeof mcpServerInfoSchema>;

/** The MCP servers of a project. */
export const mcpServerListSchema = z.object({
  servers: z.array(mcpServerInfoSchema),
  /** Why configured servers cannot be used: one English sentence each. */
  problems: z.array(z.string()),
  /** `problems` as data, in the same order. */
  problemTexts: z.array(repositoryTextSchema),
});
export type McpServerList = z.infer<typeof mcpServerListSchema>;
