import type { Project, ProjectId, UpdateProject } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../api/api.ts";
import { projectsQuery } from "../api/queries.ts";

/** Changes a project, and what is shown of it. */
export function useSaveProject(id: ProjectId): (changes: UpdateProject) => Promise<Project> {
  const client = useQueryClient();
  return async (changes) => {
    const changed = await api.updateProject(id, changes);
    client.setQueryData(projectsQuery.queryKey, (known) => known?.map((other) => (other.id === changed.id ? changed : other)));
    return changed;
  };
}
