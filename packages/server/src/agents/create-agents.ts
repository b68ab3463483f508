import { join } from "node:path";
import { createDrivenAgent, type DrivenAgentHost, drivenAgentKinds, toConfiguredKind } from "@skein/agents/driven";
import { locateProgram } from "@skein/agents/locate-program";
import { createNativeAgent } from "@skein/agents/native";
import type { AgentId, GeneralSettings } from "@skein/contracts";
import type { AgentAdapter } from "@skein/engine";
import { toProgramArgs } from "@skein/host";
import type { AgentSettings, AgentsConfig } from "../config/agent-settings.ts";
import type { Config } from "../config/load-config.ts";
import { chooseSummaryModel } from "../models/choose-summary-model.ts";
import { createModelDirectory, describeMissingProviders } from "../models/describe-models.ts";
import { findModelProblem } from "../models/find-model-problem.ts";
import { accessFor, type ModelAccess, withKeys } from "../models/model-access.ts";
import { withholdAgent } from "./withheld-agent.ts";

/** Ids of the agents that are external programs, in display order. */
export function listDrivenAgents(settings: AgentsConfig): AgentId[] {
  const configured = Object.keys(settings).filter((id) => id.includes(":"));
  return [...new Set([...drivenAgentKinds.map(({ id }) => id), ...configured])];
}

/** Creates a built-in or configured agent; undefined if the agent needs a command and has none. */
export function createConfiguredAgent(id: AgentId, settings: AgentSettings, host: DrivenAgentHost): AgentAdapter | undefined {
  const kind = drivenAgentKinds.find((known) => known.id === id) ?? toConfiguredKind(id, settings);
  if (kind === undefined) return undefined;
  const adapter = createDrivenAgent(kind, settings, host);
  return settings.enabled === false ? withholdAgent(adapter, { code: "agent-turned-off", agent: kind.name }) : adapter;
}

/** Creates an agent that is no longer configured, to read its logs. */
export function createRemovedAgent(id: AgentId, host: DrivenAgentHost): AgentAdapter | undefined {
  const adapter = createConfiguredAgent(id, { command: ["removed"] }, host);
  return adapter && withholdAgent(adapter, { code: "agent-removed" });
}

export function createNative({
  config: { native = {}, home },
  access,
  readGeneral,
}: {
  config: Config;
  access: ModelAccess;
  /** Called at each start of an agent. */
  readGeneral(): GeneralSettings;
}): AgentAdapter {
  const { summaryModel: _inSettings, ...limits } = native;
  return createNativeAgent({
    program: process.execPath,
    args: toProgramArgs(locateProgram(new URL("../native-program.ts", import.meta.url))),
    previewArgs: toProgramArgs(locateProgram(new URL("../preview-program.ts", import.meta.url))),
    questionArgs: toProgramArgs(locateProgram(new URL("../question-program.ts", import.meta.url))),
    describeModels: createModelDirectory(access),
    describeMissing: () => describeMissingProviders(access),
    findModelAccess: (modelId, keys) => accessFor(modelId, withKeys(access, keys)),
    findModelProblem: (modelId, { directory, keys }) => findModelProblem(modelId, { access: withKeys(access, keys), directory }),
    findSummaryModel: (modelId) => chooseSummaryModel(modelId, { configured: readGeneral().compression.model, access }),
    findCompressionPolicy() {
      const { model: _chosenAbove, ...policy } = readGeneral().compression;
      return policy;
    },
    findMaxSteps: () => readGeneral().maxSteps,
    spillDirectory: join(home, "spill"),
    ...limits,
  });
}
