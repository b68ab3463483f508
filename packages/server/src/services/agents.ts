import type { AgentId, AgentInfo } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { findDefaultAgent } from "./default-agent.ts";
import { missing } from "./lookup.ts";
import type { AgentService } from "./server-services.ts";
import type { ServiceContext } from "./service-context.ts";

/** Lists, adds, changes and removes agents. */
export function createAgentService({ agents: registry, settings, logger }: ServiceContext): AgentService {
  async function describe(id: AgentId): Promise<AgentInfo> {
    const adapter = registry.adapters.get(id);
    return adapter === undefined ? missing("agent", id) : registry.describe(adapter, { refresh: false });
  }

  return {
    async list({ refresh = false } = {}) {
      const problem = refresh ? registry.reload() : undefined;
      const { permissionMode } = settings.defaults();
      const byDefault = findDefaultAgent({ agents: registry, settings });
      const agents = await Promise.all([...registry.adapters.values()].map((adapter) => registry.describe(adapter, { refresh })));
      return {
        // the default model belongs to the default agent
        agents: agents.map((info) =>
          byDefault.model !== null && info.id === byDefault.agent ? { ...info, defaultModel: byDefault.model } : info,
        ),
        defaultAgent: byDefault.agent,
        ...(settings.general().sandbox.default === "off" ? {} : { defaultSandbox: settings.general().sandbox.default }),
        ...(permissionMode === null ? {} : { defaultPermissionMode: permissionMode }),
        ...(problem === undefined ? {} : { problem: formatText(problem), problemText: problem }),
      };
    },
    catalogue: () => registry.catalogue(),
    async add(input) {
      const id = await registry.add(input);
      logger.info("an agent was added", { agent: id });
      return describe(id);
    },
    async update(id, { enabled }) {
      registry.setEnabled(id, enabled);
      return describe(id);
    },
    async remove(id) {
      registry.remove(id);
      logger.info("an agent was removed", { agent: id });
    },
  };
}
