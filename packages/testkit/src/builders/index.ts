export { buildAttempt } from "./build-attempt.ts";
export { buildCapabilities } from "./build-capabilities.ts";
export { buildConversationMessage } from "./build-conversation-message.ts";
export { buildExecution } from "./build-execution.ts";
export { buildProject } from "./build-project.ts";
export { buildStoredMessage } from "./build-stored-message.ts";
export { buildTask } from "./build-task.ts";
export { testId, testTime } from "./test-id.ts";
