export { buildAttempt } from "./builders/build-attempt.ts";
export { buildConversationMessage, buildToolExecutionMessage } from "./builders/build-conversation-message.ts";
export { buildEndedExecution, buildExecution } from "./builders/build-execution.ts";
export { buildProject } from "./builders/build-project.ts";
export { buildStoredMessage } from "./builders/build-stored-message.ts";
export { buildSummary } from "./builders/build-summary.ts";
export { buildTask } from "./builders/build-task.ts";
export { testId, testTime } from "./builders/test-id.ts";
export { describeStorageContract } from "./storage-contract/describe-storage-contract.ts";
