import {
  mcpServerHashSchema,
  mcpServerNameSchema,
  mcpToolHashesSchema,
  type ProjectId,
  projectIdSchema,
  timestampSchema,
} from "@skein/contracts";
import { z } from "zod";
import { openTrustFile } from "../data-dir/trust-file.ts";

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
  /** Throws `TrustFileError` when it cannot be told: nothing is trusted then. */
  listTrusted(query: { projectId: ProjectId }): TrustedMcpServer[];
  trust(server: TrustedMcpServer): void;
  /** False when it was not trusted. */
  revoke(query: { projectId: ProjectId; name: string }): boolean;
}

export function openMcpTrustFile(path: string): McpTrustStore {
  const file = openTrustFile({
    path,
    entry: trustedServerSchema,
    isSame: (one, other) => one.projectId === other.projectId && one.name === other.name,
    nothing: "no MCP server of a project",
  });
  return {
    listTrusted: ({ projectId }) => file.list().filter((server) => server.projectId === projectId),
    trust: (server) => file.put(server),
    revoke: (query) => file.remove((server) => server.projectId === query.projectId && server.name === query.name),
  };
}
