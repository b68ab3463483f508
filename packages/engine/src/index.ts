export type { AgentAdapter, AgentLaunch, LaunchContext, LogLine } from "./ports/agent.ts";
export { type Model, ModelError, type ModelErrorKind, type ModelEvent, type ModelRequest, type ToolDefinition } from "./ports/model.ts";
export { type IngestPosition, type Storage, StorageConstraintError, type StorageReader, type StorageTransaction } from "./ports/storage.ts";
export { createMessageProcessor, type MessageProcessorOptions } from "./processing/create-message-processor.ts";
export type { MessageDraft, MessageProcessor, ProcessedStep } from "./processing/message-processor.ts";
export { keepEnd, keepStart, takeEnd, takeStart, toOneLine, truncateCodePoints } from "./text/truncate.ts";
export type { ToolObservation, ToolPresentation, ToolProcessor } from "./tools/tool-processor.ts";
export { createToolRegistry, type PresentTool, presentTool, shippedToolProcessors } from "./tools/tool-registry.ts";
