import { type ClientApp, client, type ParamsParser, RequestError } from "@agentclientprotocol/sdk";
import type { AcpOptions } from "./acp-options.ts";
import type { AgentFiles } from "./agent-files.ts";
import type { AgentTerminals } from "./agent-terminals.ts";
import type { PendingElicitations } from "./pending-elicitations.ts";
import type { PermissionRequests } from "./permission-requests.ts";

/** `PermissionRequests` has parsed the request already; agents that send more or less than the schema are supported. */
const anyParams: ParamsParser<unknown> = (params) => params;

/** Requests that an agent may send. All others are answered with “method not found”, as the protocol requires. */
export function serveAgent(input: {
  options: AcpOptions;
  permissions: PermissionRequests;
  elicitations: PendingElicitations;
  files: AgentFiles;
  terminals: AgentTerminals;
}): ClientApp {
  const { options, permissions, elicitations, files, terminals } = input;
  const app = client({ name: "skein" })
    .onRequest("session/request_permission", anyParams, ({ requestId, signal }) => permissions.getAnswer(requestId, signal))
    .onRequest("elicitation/create", anyParams, ({ requestId, signal }) => elicitations.getAnswer(requestId, signal));
  app.onRequest("fs/read_text_file", ({ params }) => {
    if (!options.files.read) throw RequestError.methodNotFound("fs/read_text_file");
    return files.read(params);
  });
  app.onRequest("fs/write_text_file", async ({ params }) => {
    if (!options.files.write) throw RequestError.methodNotFound("fs/write_text_file");
    await files.write(params);
    return {};
  });
  if (!options.terminals) return app;
  return app
    .onRequest("terminal/create", ({ params }) => terminals.create(params))
    .onRequest("terminal/output", ({ params }) => terminals.getOutput(params.terminalId))
    .onRequest("terminal/wait_for_exit", ({ params }) => terminals.waitForExit(params.terminalId))
    .onRequest("terminal/kill", ({ params }) => terminals.kill(params.terminalId))
    .onRequest("terminal/release", ({ params }) => terminals.release(params.terminalId));
}
