export type { RecordedRequest } from "./recorded-request.ts";
export type { ErrorReply, Reply, Script, ToolCallReply } from "./reply.ts";
export { type ApiName, type ModelServer, type ModelServerOptions, startModelServer } from "./start-model-server.ts";
