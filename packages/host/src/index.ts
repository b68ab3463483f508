export { keepProcessAlive } from "./faults/keep-process-alive.ts";
export { toSlug } from "./git/slug.ts";
export { trashName } from "./git/worktree-trash.ts";
export { createLocalHost } from "./local/create-local-host.ts";
export type { Host } from "./port/host.ts";
export type * from "./port/repository-files.ts";
export type * from "./port/workspaces.ts";
export { toProgramArgs } from "./program-args.ts";
export type { ReadAgentSettings } from "./repository/read-agent-settings.ts";
export type { ReadScripts } from "./repository/read-project-scripts.ts";
export { toAgentEnvironment } from "./runner/agent-environment.ts";
export { removeCgroup } from "./runner/execution-cgroup.ts";
export {
  type AgentExit,
  claimExecution,
  createExecutionFolder,
  type ExecutionFolder,
  executionFolder,
  type RunnerIdentity,
  writeWhole,
} from "./runner/execution-folder.ts";
export { type ConnectionPeer, findPeerExecution } from "./runner/find-peer-execution.ts";
export { createLogReader } from "./runner/log-reader.ts";
export type { Preamble } from "./runner/preamble.ts";
export { findExecutionProcesses, killExecutionProcesses, signalProcess } from "./runner/process-tree.ts";
export { connectRunner, isRunnerAlive, type RunnerConnection } from "./runner/runner-connection.ts";
export { runnerSocketPath } from "./runner/runner-socket.ts";
export { startRunner } from "./runner/start-runner.ts";
export { untilAgentSpeaks } from "./runner/until-agent-speaks.ts";
export { createLanes } from "./threads/lanes.ts";
