import { terminalExitSchema } from "@skein/contracts";
import { z } from "zod";
import type { HostAgents } from "../port/agents.ts";
import type { Executions } from "../port/executions.ts";
import type { Terminals } from "../port/terminals.ts";
import type { Transfers } from "../port/transfers.ts";
import type { Workspaces } from "../port/workspaces.ts";

/** `call` returns a promise, `stream` an async iterable. */
type Kind = "call" | "stream";
type Kinds<Port> = Record<keyof Port, Kind>;

const workspaces: Kinds<Workspaces> = {
  ...{ inspectRepository: "call", addProject: "call", removeProject: "call", listBranches: "call", resolveBase: "call", readHooks: "call" },
  ...{ listCreations: "call", keepCreation: "call", removeCreation: "call" },
  ...{ create: "call", prepareInPlace: "call", restore: "call", exists: "call", remove: "call", forget: "call" },
  ...{ removeFolder: "call", removeSandboxHome: "call" },
  ...{ diff: "call", diffStat: "call", listUncommitted: "call", identifyContent: "call" },
  ...{ recordExecution: "call", recordExecutionStart: "call", hasRecorded: "call", diffExecution: "call", deleteRecorded: "call" },
  ...{ readFolder: "call", readFile: "call", matchPaths: "call", listCommands: "call", matchFolders: "call", findRepositories: "call" },
  ...{ nameFolders: "call", findRecentChanges: "call", locateWorktree: "call" },
  ...{ describeLfs: "call", prepareLfs: "call", cancelLfsDownload: "call" },
  ...{ emptyTrash: "call", removeOrphans: "call", relocate: "call" },
  // RepositoryFiles
  ...{ readScripts: "call", readAgentSettings: "call", findLoadedFiles: "call", readSmallFile: "call", copyFiles: "call" },
  ...{
    isSetUp: "call",
    beginSetup: "call",
    finishSetup: "call",
    forgetSetup: "call",
    readMcpTools: "call",
    runScript: "call",
    endScript: "call",
  },
  // Branches
  ...{ readGitState: "call", diffUncommitted: "call", commit: "call", discard: "call", restoreExecution: "call", restoreSafetyRef: "call" },
  ...{ update: "call", readConflictSides: "call", resolveConflict: "call", finishUpdate: "call", abortUpdate: "call" },
  ...{ land: "call", undoLanding: "call", push: "call", listUnfinished: "call", recoverOperations: "call" },
};

const executions: Kinds<Executions> = {
  ...{ readLog: "call", closeLog: "call", logSize: "call", readErrors: "call" },
  ...{ prepare: "call", writeOrigin: "call", writeHistory: "call", removeHistory: "call", launch: "call", untilFirstOutput: "call" },
  ...{
    isClaimed: "call",
    abandon: "call",
    attach: "stream",
    detach: "call",
    send: "call",
    stop: "call",
    recordStop: "call",
    findStop: "call",
  },
  ...{
    isRunning: "call",
    killRunner: "call",
    kill: "call",
    findProcesses: "call",
    listSockets: "call",
    removeSockets: "call",
    findPeer: "call",
  },
  ...{ runPreview: "call", runQuestion: "call" },
  // StoredExecutions
  ...{ listStored: "call", locate: "call", readOrigin: "call", describeStored: "call" },
  ...{ markDeleted: "call", unmarkDeleted: "call", isMarkedDeleted: "call", removeStored: "call", removeLogs: "call" },
  ...{ quarantine: "call", listQuarantined: "call", restoreQuarantined: "call", removeQuarantined: "call" },
  ...{ findOutput: "call", readOutput: "stream" },
};

const agents: Kinds<HostAgents> = { list: "call", getProgram: "call" };

const transfers: Kinds<Transfers> = {
  ...{ listTips: "call", findMissing: "call", readPack: "stream", storePack: "call", setRefs: "call", readIdentity: "call" },
  ...{ findRemote: "call", fetchRemote: "stream" },
  ...{ readWork: "call", reserve: "call", adopt: "call", saveMirror: "call", readMirror: "call", diffMirror: "call" },
  ...{ readFiles: "stream", writeFiles: "call" },
};

const terminals: Kinds<Terminals> = {
  ...{ list: "call", open: "call", read: "call", write: "call", resize: "call", close: "call" },
  ...{ startDev: "call", stopDev: "call", findDev: "call", end: "call", remove: "call", listAttempts: "call" },
};

/** The methods of a host that may be called over a link. */
export const hostMethods = { workspaces, executions, agents, transfers, terminals } as const;
export type HostPart = keyof typeof hostMethods;

const exitSchema = z.object({
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  endedAt: z.number(),
});

/** What is read all the time, and by code that relies on it: checked before it is passed on. */
export const checkedResults: Readonly<Record<string, z.ZodType>> = {
  "executions.readLog": z.object({
    lines: z.array(z.object({ text: z.string(), offset: z.int().nonnegative(), at: z.number() })),
    next: z.int().nonnegative(),
    isBehind: z.boolean(),
  }),
  "executions.attach": z.discriminatedUnion("type", [
    z.object({ type: z.literal("connected") }),
    z.object({ type: z.literal("log") }),
    z.object({ type: z.literal("control-refused") }),
    z.object({ type: z.literal("ended"), exit: exitSchema.loose().nullable() }),
  ]),
  "executions.readOutput": z.instanceof(Uint8Array),
  "terminals.read": z.object({
    start: z.int().nonnegative(),
    data: z.instanceof(Uint8Array),
    end: z.int().nonnegative(),
    exit: terminalExitSchema.nullable(),
  }),
  "transfers.readPack": z.instanceof(Uint8Array),
  "transfers.fetchRemote": z.object({ type: z.enum(["progress", "failed"]), text: z.string().transform((text) => text.slice(0, 500)) }),
};
