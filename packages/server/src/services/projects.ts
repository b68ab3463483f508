import { basename } from "node:path";
import { type Attempt, createId, type Project, type ProjectId, type Task } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { onThisNode } from "../is-elsewhere.ts";
import { createAgentSessions } from "./agent-sessions.ts";
import { getProject } from "./lookup.ts";
import type { RemoveAttempts } from "./remove-attempts.ts";
import type { ServiceContext } from "./service-context.ts";
import type { ProjectService } from "./task-services.ts";

const tasksAtOnce = 50;

/** Adds, reads, changes and deletes projects. */
export function createProjectService(context: ServiceContext, removeAttempts: RemoveAttempts): ProjectService {
  const { storage, now } = context;
  const { workspaces } = context.host;

  /** Deletes some tasks at a time: other work runs in between. */
  async function deleteRows(id: ProjectId, tasks: readonly Task[]): Promise<void> {
    for (let index = 0; index < tasks.length; index += tasksAtOnce) {
      await storage.transaction(async (tx) => {
        for (const task of tasks.slice(index, index + tasksAtOnce)) await tx.deleteTask({ id: task.id });
      });
    }
    await storage.transaction(async (tx) => {
      await tx.deleteProject({ id });
      await tx.appendEvent({ type: "project:deleted", projectId: id }, now());
    });
  }

  return {
    list: () => storage.read.listProjects(),
    get: (id) => getProject(storage.read, id),
    agentSessions: createAgentSessions(context),
    branches: async (id) => workspaces.listBranches(await getProject(storage.read, id)),

    async create(input) {
      const membership = context.node?.membership;
      if (membership?.isDraining()) throw new ServiceError("conflict", { code: "node-draining", name: membership.name });
      const repository = await workspaces.inspectRepository({ path: input.path });
      const path = repository.directory;
      const at = now();
      const project: Project = {
        id: createId("prj", at),
        name: input.name ?? basename(path),
        path,
        systemPrompt: "",
        ...onThisNode(storage),
        createdAt: at,
        updatedAt: at,
      };
      await storage.transaction(async (tx) => {
        const known = await tx.findProject({ path });
        if (known !== undefined) {
          throw new ServiceError("conflict", { code: "project-exists", path, project: known.name });
        }
        await tx.insertProject(project);
        await workspaces.addProject({ id: project.id, repository });
        await tx.appendEvent({ type: "project:created", projectId: project.id, project }, at);
      });
      return project;
    },

    async update(id, changes) {
      const at = now();
      return storage.transaction(async (tx) => {
        const {
          autoCommit: wasOn = false,
          runChecks: didRun = false,
          workersFetch: didFetch = false,
          agentAccess: hadAccess = false,
          ...before
        } = await getProject(tx, id);
        const autoCommit = changes.autoCommit ?? wasOn;
        const runChecks = changes.runChecks ?? didRun;
        const workersFetch = changes.workersFetch ?? didFetch;
        const agentAccess = changes.agentAccess ?? hadAccess;
        const project: Project = {
          ...before,
          ...(autoCommit ? { autoCommit } : {}),
          ...(runChecks ? { runChecks } : {}),
          ...(workersFetch ? { workersFetch } : {}),
          ...(agentAccess ? { agentAccess } : {}),
          name: changes.name ?? before.name,
          systemPrompt: changes.systemPrompt ?? before.systemPrompt,
          updatedAt: at,
        };
        await tx.updateProject(project);
        await tx.appendEvent({ type: "project:updated", projectId: id, project }, at);
        return project;
      });
    },

    async remove(id, options) {
      await getProject(storage.read, id);
      const tasks = await storage.read.listTasks({ projectId: id });
      const attempts: Attempt[] = [];
      for (const { id: taskId } of tasks) attempts.push(...(await storage.read.listAttempts({ taskId })));
      const result = await removeAttempts(attempts, { ...options, deleteRows: () => deleteRows(id, tasks) });
      await workspaces.removeProject({ id });
      return result;
    },
  };
}
