import { createDrivenAgent, type DrivenAgentKind, drivenAgentKinds, toConfiguredKind } from "@skein/agents/driven";
import { locateProgram } from "@skein/agents/locate-program";
import { createNativeAgent } from "@skein/agents/native";
import type { AgentId, GeneralSettings } from "@skein/contracts";
import type { AgentAdapter } from "@skein/engine";
import type { Config } from "../config/load-config.ts";
import { toAgentEnvironment } from "../executions/agent-environment.ts";
import { chooseSummaryModel } from "../models/choose-summary-model.ts";
import { createModelDirectory, describeMissingProviders } from "../models/describe-models.ts";
import { findModelProblem } from "../models/find-model-problem.ts";
import { accessFor, type ModelAccess } from "../models/model-access.ts";
import { toProgramArgs } from "../program-args.ts";
import { outputFolder } from "../services/outputs.ts";

/** Every agent that this server knows, in the order in which they are offered. */
export function createAgents({
  config,
  environment,
  access,
  readGeneral,
}: {
  config: Config;
  environment: NodeJS.ProcessEnv;
  access: ModelAccess;
  /** Asked at each start of an agent. */
  readGeneral(): GeneralSettings;
}): Map<AgentId, AgentAdapter> {
  const settings = config.agents ?? {};
  const host = {
    environment,
    baseEnvironment: toAgentEnvironment(environment),
  };
  const configured = Object.entries(settings).flatMap(([id, { command, name }]) => toConfiguredKind(id, { command, name }) ?? []);
  const kinds: DrivenAgentKind[] = [...drivenAgentKinds, ...configured];
  const driven = kinds.map((kind) => createDrivenAgent(kind, settings[kind.id] ?? {}, host));
  return new Map([createNative({ config, access, readGeneral }), ...driven].map((adapter) => [adapter.id, adapter]));
}

function createNative({
  config: { native = {}, home },
  access,
  readGeneral,
}: {
  config: Config;
  access: ModelAccess;
  readGeneral(): GeneralSettings;
}): AgentAdapter {
  const { summaryModel: _inSettings, ...limits } = native;
  return createNativeAgent({
    program: process.execPath,
    args: toProgramArgs(locateProgram(new URL("../native-program.ts", import.meta.url))),
    previewArgs: toProgramArgs(locateProgram(new URL("../preview-program.ts", import.meta.url))),
    describeModels: createModelDirectory(access),
    describeMissing: () => describeMissingProviders(access),
    findModelProblem: (modelId) => findModelProblem(modelId, access),
    findModelAccess: (modelId) => accessFor(modelId, access),
    findSummaryModel: (modelId) => chooseSummaryModel(modelId, { configured: readGeneral().compression.model, access }),
    findCompressionPolicy() {
      const { model: _chosenAbove, ...policy } = readGeneral().compression;
      return policy;
    },
    findMaxSteps: () => readGeneral().maxSteps,
    spillDirectory: outputFolder(home),
    ...limits,
  });
}
