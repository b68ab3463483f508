import { z } from "zod";
import { repositoryTextSchema } from "./coded-texts/repository-text.ts";
import { trustedFileChangeSchema, trustPlaceSchema } from "./repository-trust.ts";

/*
 * Model Context Protocol servers, whose tools the native agent can use. The user's own configuration is trusted; servers of a repository
 * are not started before the user has trusted them (X8).
 */

/** The name of a server, which is part of its tools' names. */
export const mcpServerNameSchema = z.stringFormat(
  "mcp-server-name",
  /^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,63}$/u,
  "expected a name of letters, digits, spaces, dots, dashes and underscores, at most 64",
);

const textSchema = z.string().max(10_000);
const variablesSchema = z.record(z.string().min(1).max(200), textSchema);

/** A server that Skein starts and connects to over stdin and stdout. */
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

/** A server's definition as written: `${NAME}` is not yet expanded. */
export const mcpServerDefinitionSchema = z.discriminatedUnion("type", [mcpStdioServerSchema, mcpHttpServerSchema]);
export type McpServerDefinition = z.infer<typeof mcpServerDefinitionSchema>;

/** Tool name → hash of its description and schema. */
export const mcpToolHashesSchema = z.record(z.string(), z.string());
export type McpToolHashes = z.infer<typeof mcpToolHashesSchema>;

/** A server that an agent may start. */
export const usableMcpServerSchema = z.object({
  definition: mcpServerDefinitionSchema,
  /** The tools when the user trusted the server: others are not offered. Null: all. */
  trustedTools: mcpToolHashesSchema.nullable(),
  /**
   * SHA-256 by path of each repository file that the server may load. If it would load another file, or one differs, the server is
   * neither started nor called (X16). Absent for servers of the user's own settings.
   */
  trustedFiles: z.record(z.string(), z.string()).optional(),
});
export type UsableMcpServer = z.infer<typeof usableMcpServerSchema>;

/** 64 hexadecimal digits: the definition that the user's trust is bound to. */
export const mcpServerHashSchema = z.string().regex(/^[0-9a-f]{64}$/, "expected the hash that the list of servers gives");

/** Trusts a server as shown: the hash identifies its definition. */
export const trustMcpServerSchema = trustPlaceSchema.extend({ hash: mcpServerHashSchema });
export type TrustMcpServer = z.infer<typeof trustMcpServerSchema>;

/** A server, as shown to users before and after trusting it. */
export const mcpServerInfoSchema = z.object({
  name: z.string(),
  /** `config`: the user's own settings. `project`: a file of the repository. */
  source: z.enum(["config", "project"]),
  /** `overridden`: the user's settings have a server of the same name, which is used instead. */
  state: z.enum(["trusted", "new", "changed", "overridden"]),
  hash: mcpServerHashSchema,
  /** Without the values of the user's own variables and headers, which may be keys. */
  definition: mcpServerDefinitionSchema,
  /** Repository files that trust covers: those that the command names or loads. */
  files: z.array(z.string()),
  /** Those that differ from what was trusted last. */
  changes: z.array(trustedFileChangeSchema),
  /** Why it cannot be trusted: one English sentence. */
  problem: z.string().optional(),
  /** `problem` as data. */
  problemText: repositoryTextSchema.optional(),
  /** Names of the trusted tools; absent if trust is not bound to them. */
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
