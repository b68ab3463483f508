export type { AgentAdapter, AgentLaunch, LaunchContext, LogLine } from "./ports/agent.ts";
export { type Model, ModelError, type ModelErrorKind, type ModelEvent, type ModelRequest, type ToolDefinition } from "./ports/model.ts";
export { type IngestPosition, type Storage, StorageConstraintError, type StorageReader, type StorageTransaction } from "./ports/storage.ts";
export type { MessageDraft, MessageProcessor, ProcessedStep } from "./processing/message-processor.ts";
