import {
  contentHashSchema,
  mcpServerHashSchema,
  mcpServerNameSchema,
  mcpToolHashesSchema,
  type ProjectId,
  projectIdSchema,
  timestampSchema,
} from "@skein/contracts";
import { z } from "zod";
import { openTrustFile } from "../data-dir/trust-file.ts";
import { toContentHash } from "../repository/covered-files.ts";

const trustedServerSchema = z.object({
  projectId: projectIdSchema,
  name: mcpServerNameSchema,
  /** Hash of the definition. */
  hash: mcpServerHashSchema,
  /** Hashes of the repository's files that it named or loaded when it was trusted. */
  files: z.record(z.string(), contentHashSchema).optional(),
  /** Hashes of its tools when it was trusted. */
  tools: mcpToolHashesSchema,
  trustedAt: timestampSchema,
});
export type TrustedMcpServer = z.infer<typeof trustedServerSchema>;

/** MCP servers of repositories that the user trusts. Several versions of a server can be trusted, because branches differ. */
export interface McpTrustStore {
  /** Throws `TrustFileError` if the file cannot be read: nothing is trusted then. */
  listTrusted(query: { projectId: ProjectId }): TrustedMcpServer[];
  /** Replaces the same version of the same server. */
  trust(server: TrustedMcpServer): void;
  /** Revokes all versions. Returns false if it was not trusted. */
  revoke(query: { projectId: ProjectId; name: string }): boolean;
}

export function openMcpTrustFile(path: string): McpTrustStore {
  const file = openTrustFile({
    path,
    entry: trustedServerSchema,
    toSubject: ({ projectId, name }) => JSON.stringify([projectId, name]),
    toVersion: ({ hash, files = {} }) => toContentHash(hash, files),
  });
  return {
    listTrusted: ({ projectId }) => file.list().filter((server) => server.projectId === projectId),
    trust: file.put,
    revoke: (query) => file.remove((server) => server.projectId === query.projectId && server.name === query.name),
  };
}
