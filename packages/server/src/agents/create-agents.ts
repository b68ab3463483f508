import { createDrivenAgent, type DrivenAgentKind, drivenAgentKinds, toConfiguredKind } from "@skein/agents/driven";
import { createNativeAgent } from "@skein/agents/native";
import type { AgentId } from "@skein/contracts";
import type { AgentAdapter } from "@skein/engine";
import type { Config } from "../config/load-config.ts";
import { toAgentEnvironment } from "../executions/agent-environment.ts";
import { chooseSummaryModel } from "../models/choose-summary-model.ts";
import { createModelDirectory, describeMissingProviders } from "../models/describe-models.ts";
import { accessFor, type ModelAccess } from "../models/model-access.ts";
import { toProgramArgs } from "../program-args.ts";
import { outputFolder } from "../services/outputs.ts";

/** Every agent that this server knows, in the order in which they are offered. */
export function createAgents(config: Config, environment: NodeJS.ProcessEnv, access: ModelAccess): Map<AgentId, AgentAdapter> {
  const settings = config.agents ?? {};
  const host = {
    program: process.execPath,
    args: toProgramArgs(new URL(import.meta.resolve("@skein/agents/driver-program"))),
    environment,
    baseEnvironment: toAgentEnvironment(environment),
  };
  const configured = Object.entries(settings).flatMap(([id, { command, name }]) => toConfiguredKind(id, { command, name }) ?? []);
  const kinds: DrivenAgentKind[] = [...drivenAgentKinds, ...configured];
  const driven = kinds.map((kind) => createDrivenAgent(kind, settings[kind.id] ?? {}, host));
  return new Map([createNative(config, access), ...driven].map((adapter) => [adapter.id, adapter]));
}

function createNative({ native = {}, home }: Config, access: ModelAccess): AgentAdapter {
  const { summaryModel: configured, ...limits } = native;
  return createNativeAgent({
    program: process.execPath,
    args: toProgramArgs(new URL("../native-program.ts", import.meta.url)),
    previewArgs: toProgramArgs(new URL("../preview-program.ts", import.meta.url)),
    describeModels: createModelDirectory(access),
    describeMissing: () => describeMissingProviders(access),
    findModelAccess: (modelId) => accessFor(modelId, access),
    findSummaryModel: (modelId) => chooseSummaryModel(modelId, { configured, access }),
    spillDirectory: outputFolder(home),
    ...limits,
  });
}
