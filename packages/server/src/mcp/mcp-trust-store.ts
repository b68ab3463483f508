import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import {
  mcpServerHashSchema,
  mcpServerNameSchema,
  mcpToolHashesSchema,
  type ProjectId,
  projectIdSchema,
  timestampSchema,
} from "@skein/contracts";
import { z } from "zod";
import { ensurePrivateFile } from "../data-dir/private-path.ts";

const trustedServerSchema = z.object({
  projectId: projectIdSchema,
  name: mcpServerNameSchema,
  /** Of the definition. */
  hash: mcpServerHashSchema,
  /** Of its tools, as they were when it was trusted. */
  tools: mcpToolHashesSchema,
  trustedAt: timestampSchema,
});
export type TrustedMcpServer = z.infer<typeof trustedServerSchema>;

/** What a person trusts of what their repositories name. One definition for each name of a project. */
export interface McpTrustStore {
  /** Throws `McpTrustError` when it cannot be told: nothing is trusted then. */
  listTrusted(query: { projectId: ProjectId }): TrustedMcpServer[];
  trust(server: TrustedMcpServer): void;
  /** False when it was not trusted. */
  revoke(query: { projectId: ProjectId; name: string }): boolean;
}

/** `message` says what to do. */
export class McpTrustError extends Error {
  override readonly name = "McpTrustError";
}

const fileSchema = z.object({ version: z.literal(1), trusted: z.array(trustedServerSchema) });

/** Read anew each time, written whole: a crash leaves the old file or the new one. One server has the data dir, so nobody writes beside it. */
export function openMcpTrustFile(path: string): McpTrustStore {
  const isSame = (one: { projectId: ProjectId; name: string }, other: { projectId: ProjectId; name: string }) =>
    one.projectId === other.projectId && one.name === other.name;
  return {
    listTrusted: ({ projectId }) => readTrusted(path).filter((server) => server.projectId === projectId),
    trust: (server) => writeTrusted(path, [...readTrusted(path).filter((other) => !isSame(other, server)), server]),
    revoke(query) {
      const before = readTrusted(path);
      const after = before.filter((server) => !isSame(server, query));
      if (after.length < before.length) writeTrusted(path, after);
      return after.length < before.length;
    },
  };
}

function readTrusted(path: string): TrustedMcpServer[] {
  try {
    ensurePrivateFile(path);
    return fileSchema.parse(JSON.parse(readFileSync(path, "utf8"))).trusted;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return [];
    throw new McpTrustError(`${path} cannot be read, so that no MCP server of a project is trusted. Delete it and trust them again.`, {
      cause,
    });
  }
}

function writeTrusted(path: string, trusted: readonly TrustedMcpServer[]): void {
  const draft = `${path}.tmp`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify({ version: 1, trusted }, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
