export type { RecordedRequest, RequestEnd } from "./recorded-request.ts";
export type { ErrorReply, Reply, Script, Step, ToolCallReply, UsageReply } from "./reply.ts";
export { type ApiName, type ModelServer, type ModelServerOptions, startModelServer } from "./start-model-server.ts";
