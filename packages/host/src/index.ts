export { keepProcessAlive } from "./faults/keep-process-alive.ts";
export { createPathLists } from "./files/list-paths.ts";
export { rankPaths } from "./files/rank-paths.ts";
export { maxImageBytes, readFile, readFolder, toFileContent } from "./files/read-worktree.ts";
export { findRepositories } from "./folders/find-repositories.ts";
export { toHomePath } from "./folders/home-path.ts";
export { matchFolders } from "./folders/match-folders.ts";
export { diffAgainstBase } from "./git/attempt-diff.ts";
export { carryChanges } from "./git/carry-changes.ts";
export { statAgainstBase } from "./git/diff-stat.ts";
export { deleteExecutionTrees, diffExecutionTrees, hasExecutionTree, recordExecutionTree } from "./git/execution-trees.ts";
export { findRepository, type RepositoryDirs } from "./git/find-repository.ts";
export type { GitFolder } from "./git/git-folder.ts";
export { inspectRepository } from "./git/inspect-repository.ts";
export { listBranches } from "./git/list-branches.ts";
export { createOwnGitDir, findBase, moveOwnGitDir, readOwnGitDir, removeOwnGitDir } from "./git/own-git-dir.ts";
export { readBlob } from "./git/read-blob.ts";
export { toSlug } from "./git/slug.ts";
export { openBase } from "./git/snapshot.ts";
export { emptyTrash, trashName } from "./git/worktree-trash.ts";
export {
  type AttemptBase,
  addWorktree,
  findWorktreeGitDir,
  forgetWorktree,
  listUncommitted,
  relinkWorktree,
  removeOrphanWorktree,
  removeWorktree,
  resolveBase,
  resolveHead,
  restoreWorktree,
} from "./git/worktrees.ts";
export { fetchLfsObjects } from "./lfs/fetch-lfs-objects.ts";
export { type FoundLfsSource, findLfsSource, type LfsSource } from "./lfs/find-lfs-source.ts";
export { listLfsFiles } from "./lfs/list-lfs-files.ts";
export { type PlacedLfsFiles, placeLfsFiles } from "./lfs/place-lfs-files.ts";
export { createLocalHost } from "./local/create-local-host.ts";
export type { Host } from "./port/host.ts";
export type * from "./port/repository-files.ts";
export type * from "./port/workspaces.ts";
export { toProgramArgs } from "./program-args.ts";
export { copyFiles } from "./repository/copy-files.ts";
export { type ReadAgentSettings, readAgentSettings } from "./repository/read-agent-settings.ts";
export { type ReadScripts, readProjectScripts } from "./repository/read-project-scripts.ts";
export { readSmallBytes, readSmallFile } from "./repository/read-small-file.ts";
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
export { runScript } from "./runner/run-script.ts";
export { connectRunner, isRunnerAlive, type RunnerConnection } from "./runner/runner-connection.ts";
export { runnerSocketPath } from "./runner/runner-socket.ts";
export { startRunner } from "./runner/start-runner.ts";
export { untilAgentSpeaks } from "./runner/until-agent-speaks.ts";
export { createLanes } from "./threads/lanes.ts";
