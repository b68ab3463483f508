// For tests that inspect or replace what a runner does.
export { createExecutionFiles } from "../local/execution-files.ts";
export { createExecutionFolder, type ExecutionFolder, executionFolder, type RunnerIdentity } from "../runner/execution-folder.ts";
export { findExecutionProcesses, killExecutionProcesses } from "../runner/process-tree.ts";
export { startRunner } from "../runner/start-runner.ts";
export { connectInMemory } from "./connect-in-memory.ts";
