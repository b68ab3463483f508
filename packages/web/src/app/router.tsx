import type { AttemptId, ProjectId, TaskId } from "@skein/contracts";
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { loadPart } from "../api/load-part.ts";
import { approvalsQuery, attemptsQuery, inboxQuery, projectsQuery, taskQuery, tasksQuery } from "../api/queries.ts";
import { parseBoardFilters } from "../board/board-filters.ts";
import { findListedTask } from "../live/apply-event-to-cache.ts";
import { queryClient } from "../live/live.ts";
import { type SideView, sideViews, type TaskView } from "../task/task-view.ts";
import { FailedPage, NotFoundPage } from "../ui/message-pages.tsx";
import { findHomeProject, HomePage } from "./home-page.tsx";
import { Shell } from "./shell.tsx";

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage, errorComponent: FailedPage });

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    const project = findHomeProject(queryClient.getQueryData(projectsQuery.queryKey));
    if (project) throw redirect({ to: "/p/$projectId", params: { projectId: project.id }, replace: true });
  },
  component: HomePage,
});

const boardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/p/$projectId",
  params: { parse: ({ projectId }) => ({ projectId: projectId as ProjectId }), stringify: ({ projectId }) => ({ projectId }) },
  validateSearch: parseBoardFilters,
  // Loaded at the same time as the page's code.
  loader: ({ params }) => void queryClient.prefetchQuery(tasksQuery(params.projectId)),
  component: lazyRouteComponent(() => loadPart(() => import("../board/board-page.tsx")), "BoardPage"),
});

type TaskPage = typeof import("../task/task-page.tsx");

let taskPage: TaskPage | undefined;
const loadTaskPage = async () => {
  taskPage ??= await import("../task/task-page.tsx");
  return taskPage;
};

/**
 * The conversation is requested as soon as the page's code is loaded: on hover, or before the page is drawn. At once if it is: a page
 * that is drawn earlier would open a second one. Otherwise the page waits for it: its queries take their data from the same answer.
 */
function preopenConversation(taskId: TaskId): void | Promise<void> {
  const open = (page: TaskPage) => page.preopenConversation(taskId);
  return taskPage ? open(taskPage) : loadTaskPage().then(open, () => {});
}

const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/t/$taskId",
  params: { parse: ({ taskId }) => ({ taskId: taskId as TaskId }), stringify: ({ taskId }) => ({ taskId }) },
  validateSearch: (search: Record<string, unknown>): { attempt?: AttemptId; view?: TaskView } => ({
    ...(typeof search.attempt === "string" ? { attempt: search.attempt as AttemptId } : {}),
    ...(sideViews.some((view) => view === search.view) ? { view: search.view as SideView } : {}),
  }),
  loader: ({ params, location }) => {
    // known from the board: its page is drawn at once
    const known = findListedTask(queryClient, params.taskId);
    if (known) queryClient.setQueryData(taskQuery(params.taskId).queryKey, (before) => before ?? known);
    // the conversation comes with the task and its attempts, unless it is that of another attempt
    if (!new URLSearchParams(location.searchStr).has("attempt")) return preopenConversation(params.taskId);
    void queryClient.prefetchQuery(taskQuery(params.taskId));
    void queryClient.prefetchQuery(attemptsQuery(params.taskId));
  },
  component: lazyRouteComponent(() => loadPart(loadTaskPage), "TaskPage"),
});

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/t/$taskId/compare",
  params: { parse: ({ taskId }) => ({ taskId: taskId as TaskId }), stringify: ({ taskId }) => ({ taskId }) },
  validateSearch: (search: Record<string, unknown>): { attempts?: string } =>
    typeof search.attempts === "string" ? { attempts: search.attempts } : {},
  component: lazyRouteComponent(() => loadPart(() => import("../compare/compare-page.tsx")), "ComparePage"),
});

const inboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/inbox",
  loader: () => {
    void queryClient.prefetchQuery(approvalsQuery);
    void queryClient.prefetchQuery(inboxQuery);
  },
  component: lazyRouteComponent(() => loadPart(() => import("../inbox/inbox-page.tsx")), "InboxPage"),
});

const settingsPage = lazyRouteComponent(() => loadPart(() => import("../settings/settings-page.tsx")), "SettingsPage");
const settingsRoute = createRoute({ getParentRoute: () => rootRoute, path: "/settings", component: settingsPage });
const settingsSectionRoute = createRoute({ getParentRoute: () => rootRoute, path: "/settings/$section", component: settingsPage });

const importRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/import",
  component: lazyRouteComponent(() => loadPart(() => import("../import/import-page.tsx")), "ImportPage"),
});

const automationsPage = lazyRouteComponent(() => loadPart(() => import("../automations/automations-page.tsx")), "AutomationsPage");
const automationsRoute = createRoute({ getParentRoute: () => rootRoute, path: "/automations", component: automationsPage });
const automationsSectionRoute = createRoute({ getParentRoute: () => rootRoute, path: "/automations/$section", component: automationsPage });

const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/usage",
  component: lazyRouteComponent(() => loadPart(() => import("../settings/usage-page.tsx")), "UsagePage"),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    homeRoute,
    boardRoute,
    taskRoute,
    compareRoute,
    inboxRoute,
    settingsRoute,
    settingsSectionRoute,
    usageRoute,
    importRoute,
    automationsRoute,
    automationsSectionRoute,
  ]),
  defaultPreload: "intent",
  defaultPendingMinMs: 0,
});

/** Starts to load the code of the page that is opened, without its data. A failure is ignored: opening the page loads it again. */
export async function preloadPage(): Promise<void> {
  const { routesById } = router;
  const opened = router.matchRoutes(router.latestLocation).map(({ routeId }) => routesById[routeId as keyof typeof routesById]);
  // the home page leads to a board
  await Promise.all(opened.map((route) => router.loadRouteChunk(route === homeRoute ? boardRoute : route))).catch(() => {});
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
