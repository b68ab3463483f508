import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { attemptDiffSchema, attemptIdSchema } from "@skein/contracts";
import type { Api } from "./api.ts";
import { formatFiles } from "./conversation-tools.ts";
import { toConversationUri, toDiffUri } from "./tool-result.ts";

/** The conversation and the changes of an attempt, as resources that results link to. */
export function registerResources(server: McpServer, api: Api): void {
  const template = (uri: string) => new ResourceTemplate(uri, { list: undefined });
  const variable = "{attemptId}";
  server.registerResource(
    "conversation",
    template(toConversationUri(variable)),
    { title: "Conversation of an attempt", description: "The whole conversation, as Markdown", mimeType: "text/markdown" },
    async (uri, { attemptId }, context) => {
      const path = `/api/attempts/${attemptIdSchema.parse(attemptId)}/export?format=markdown`;
      const text = await (await api.open(path, context.mcpReq.signal)).text();
      return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
    },
  );
  server.registerResource(
    "diff",
    template(toDiffUri(variable)),
    { title: "Changes of an attempt", description: "Everything since its base, as a unified diff", mimeType: "text/x-diff" },
    async (uri, { attemptId }, context) => {
      const path = `/api/attempts/${attemptIdSchema.parse(attemptId)}/diff`;
      const { files } = await api.get(path, attemptDiffSchema, context.mcpReq.signal);
      return { contents: [{ uri: uri.href, mimeType: "text/x-diff", text: formatFiles(files) }] };
    },
  );
}
