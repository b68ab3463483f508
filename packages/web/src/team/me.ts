import type { ProjectId, ProjectRole, TaskId } from "@skein/contracts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { AnswerSchemas } from "../api/load-wire-schemas.ts";
import { taskQuery } from "../api/queries.ts";
import { request } from "../api/request.ts";
import { teamMode } from "../preferences/team-mode.ts";

/** The signed-in user. Loaded before the first render, and again when the user's rights change. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => {
    const me = await request("/api/me", { answer: "teamMe", signal });
    teamMode.set(me.team);
    return me;
  },
});

export type Me = z.output<AnswerSchemas["teamMe"]>;

/** Undefined on a server without users. */
export function useMe(): Me | undefined {
  const { data } = useQuery({ ...meQuery, enabled: teamMode.isOn() });
  return data?.team ? data : undefined;
}

/** What the user may do in a project: without users, everything. */
export function useRole(projectId: ProjectId | undefined): ProjectRole {
  return toRole(useMe(), projectId);
}

export function toRole(me: Me | undefined, projectId: ProjectId | undefined): ProjectRole {
  if (me === undefined || me.isAdmin) return "owner";
  return me.projects.find((membership) => membership.projectId === projectId)?.role ?? "viewer";
}

/** Administrators manage projects, agents and the server's settings; without users, everybody does. */
export function useIsAdmin(): boolean {
  return useMe()?.isAdmin ?? true;
}

/** Whether the user may only read the project of a task. */
export function useIsViewer(taskId: TaskId): boolean {
  const { data: task } = useQuery({ ...taskQuery(taskId), enabled: teamMode.isOn() });
  return useRole(task?.projectId) === "viewer";
}
