import type { AgentId, AgentSessionList, ProjectId } from "@skein/contracts";
import { createConcurrencyLimit, ServiceError } from "@skein/engine";
import { checkAgent } from "./check-agent.ts";
import { getProject } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

/** Lists the sessions that an agent itself keeps for a project's folder. Each call starts the agent's program. */
export function createAgentSessions(context: ServiceContext): (id: ProjectId, agent: AgentId) => Promise<AgentSessionList> {
  const limit = createConcurrencyLimit(2);
  return async (id, agent) => {
    const project = await getProject(context.storage.read, id);
    const directory = project.path;
    await checkAgent(context, { agent }, { directory, mustStart: true });
    const adapter = context.agents.find(agent);
    const listSessions = adapter?.listSessions?.bind(adapter);
    if (listSessions === undefined) {
      throw new ServiceError("conflict", { code: "sessions-not-offered", agent: adapter?.name ?? agent });
    }
    const { areTrusted } = await context.repositoryTrust.judgeAgentSettings({ project, directory, agent });
    const listed = await limit(() =>
      listSessions({ directory, environment: context.host.environment, trustsRepositorySettings: areTrusted }),
    );
    if (!listed.ok) throw new ServiceError("conflict", listed.problem);
    return { sessions: listed.sessions, truncated: listed.truncated };
  };
}
