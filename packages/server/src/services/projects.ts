import { basename } from "node:path";
import { createId, type Project } from "@skein/contracts";
import { inspectRepository } from "../git/inspect-repository.ts";
import { getProject } from "./lookup.ts";
import type { RemoveAttempts } from "./remove-attempts.ts";
import type { ServiceContext } from "./service-context.ts";
import { ServiceError } from "./service-error.ts";
import type { Services } from "./services.ts";

export function createProjectService(context: ServiceContext, removeAttempts: RemoveAttempts): Services["projects"] {
  const { storage, now, gitFolders } = context;
  return {
    list: () => storage.read.listProjects(),
    get: (id) => getProject(storage.read, id),

    async create(input) {
      const repository = await inspectRepository(input.path);
      const path = repository.directory;
      const at = now();
      const project: Project = {
        id: createId("prj", at),
        name: input.name ?? basename(path),
        path,
        systemPrompt: "",
        createdAt: at,
        updatedAt: at,
      };
      await storage.transaction(async (tx) => {
        const known = await tx.findProject({ path });
        if (known !== undefined) {
          throw new ServiceError("conflict", "project-exists", `“${path}” is already here, as the project “${known.name}”.`);
        }
        await tx.insertProject(project);
        await gitFolders.rememberProject(project.id, repository);
        await tx.appendEvent({ type: "project:created", projectId: project.id, project }, at);
      });
      return project;
    },

    async update(id, changes) {
      const at = now();
      return storage.transaction(async (tx) => {
        const before = await getProject(tx, id);
        const project: Project = {
          ...before,
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
      const attempts = await Promise.all(tasks.map(({ id: taskId }) => storage.read.listAttempts({ taskId })));
      const result = await removeAttempts(attempts.flat(), { ...options, withTasks: true });
      await storage.transaction(async (tx) => {
        await tx.deleteProject({ id });
        await tx.appendEvent({ type: "project:deleted", projectId: id }, now());
      });
      await gitFolders.forget(id);
      return result;
    },
  };
}
