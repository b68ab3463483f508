import type { Project, ProjectId, TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { projectsQuery, taskQuery } from "../api/queries.ts";
import { lastProject } from "../preferences/last-project.ts";

/** The project of the board, or of the task, that is open; elsewhere the one that was open last. */
export function useCurrentProject(): Project | undefined {
  const params = useParams({ strict: false }) as { projectId?: ProjectId; taskId?: TaskId };
  const { data: projects } = useQuery(projectsQuery);
  const { data: task } = useQuery({ ...taskQuery(params.taskId ?? ("" as TaskId)), enabled: params.taskId !== undefined });
  const id = params.projectId ?? task?.projectId;
  useEffect(() => {
    if (id) lastProject.write(id);
  }, [id]);
  const wanted = projects?.find((project) => project.id === (id ?? lastProject.read()));
  // On a page of no project, in a browser that has seen none yet, the first one is as good as any.
  return wanted ?? (id === undefined ? projects?.[0] : undefined);
}
