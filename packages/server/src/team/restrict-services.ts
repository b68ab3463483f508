import type { ProjectId, SequencedEvent, SkeinEvent, TaskId, UserId } from "@skein/contracts";
import type { Services } from "../services/services.ts";
import type { AgentRules } from "./agent-rules.ts";
import type { TaskProjects } from "./task-projects.ts";
import type { Viewer } from "./viewer.ts";

/**
 * The services as one user sees them: lists contain only projects of the user, and what the user does is recorded with the user's name.
 * Whether the user may do it at all was decided before, by the route (`authorize`).
 */
export function restrictServices(services: Services, viewer: Viewer, tasks: TaskProjects, rules: AgentRules): Services {
  const { by, projectIds } = viewer;
  const sees = (projectId: ProjectId | undefined): boolean => projectId !== undefined && viewer.roleIn(projectId) !== undefined;
  // serialized values have no branded types
  const seesTask = ({ taskId }: { taskId: string }): boolean => sees(tasks.find(taskId as TaskId));
  const seesEvent = (event: SkeinEvent): boolean => {
    if (event.type === "access:changed") return event.userId === (by.id as string);
    if ("projectId" in event) return sees(event.projectId);
    if ("task" in event) return sees(event.task.projectId);
    return seesTask(event);
  };
  /** Clients choose these ids: one user's must not lead to the result of another. */
  const own = <Id extends string | undefined>(id: Id): Id => (id === undefined ? id : (`${by.id} ${id}` as Id));

  return {
    ...services,
    projects: { ...services.projects, list: async () => (await services.projects.list()).filter(({ id }) => sees(id)) },
    tasks: {
      ...services.tasks,
      list: (query) => services.tasks.list({ ...query, projectIds }),
      create: (input) => services.tasks.create(input, by),
    },
    attempts: { ...services.attempts, create: (taskId, input) => services.attempts.create(taskId, { ...input, by }) },
    findIds: (query) => services.findIds({ ...query, projectIds }),
    commands: {
      async execute({ id, ...command }, alongside) {
        if (by.agent !== undefined) await rules.checkCommand(by.agent, command);
        return services.commands.execute(id === undefined ? command : { ...command, id: own(id) }, alongside, by);
      },
    },
    async start(input) {
      const allowed = by.agent === undefined ? input : await rules.limitStart(by.agent, input);
      return services.start({ ...allowed, id: own(input.id) }, by);
    },
    async startRace(input) {
      const { agent } = by;
      const limit = async (attempt: (typeof input.attempts)[number]) => {
        if (agent === undefined) return attempt;
        const { task, message, images } = input;
        const limited = await rules.limitStart(agent, {
          id: input.id,
          task,
          message,
          images,
          attempt: { ...attempt, isolation: "worktree" },
        });
        return { ...attempt, ...limited.attempt, agent: attempt.agent };
      };
      return services.startRace({ ...input, attempts: await Promise.all(input.attempts.map(limit)), id: own(input.id) }, by);
    },
    templates: {
      ...services.templates,
      list: () => services.templates.list({ projectIds }),
      create: (input) => services.templates.create(input, by),
    },
    schedules: {
      ...services.schedules,
      list: () => services.schedules.list({ projectIds }),
      create: (input) => services.schedules.create(input, by),
      update: (id, changes) => services.schedules.update(id, changes, by),
    },
    incomingHooks: {
      ...services.incomingHooks,
      list: () => services.incomingHooks.list({ projectIds }),
      create: (input) => services.incomingHooks.create(input, by),
      update: (id, changes) => services.incomingHooks.update(id, changes, by),
    },
    review: {
      ...services.review,
      addComment: (id, input) => services.review.addComment(id, input, by),
      send: (id, input) => services.review.send(id, { ...input, id: own(input.id) }, by),
    },
    branches: {
      ...services.branches,
      resolve: (id, resolution) =>
        services.branches.resolve(id, resolution.action === "agent" ? { ...resolution, id: own(resolution.id) } : resolution, by),
      land: (id, input) => services.branches.land(id, input, by),
    },
    pullRequests: {
      ...services.pullRequests,
      sendFeedback: (id, input) => services.pullRequests.sendFeedback(id, { ...input, id: own(input.id) }, by),
    },
    overviews: {
      ...services.overviews,
      async start({ taskId, ...query }) {
        const isVisible = taskId !== undefined && seesTask({ taskId });
        const overview = await services.overviews.start({ ...query, ...(isVisible ? { taskId } : {}), projectIds });
        return { ...overview, approvals: overview.approvals.filter(seesTask), inbox: overview.inbox.filter(seesTask) };
      },
    },
    approvals: {
      list: async (query) => (await services.approvals.list(query)).filter(seesTask),
      answer: (id, answer, peer) => services.approvals.answer(id, answer, peer, by),
    },
    waitingExecutions: {
      ...services.waitingExecutions,
      list: async () => (await services.waitingExecutions.list()).filter(({ projectId }) => sees(projectId)),
      move: async (id, before) => (await services.waitingExecutions.move(id, before)).filter(({ projectId }) => sees(projectId)),
    },
    heldExecutions: {
      ...services.heldExecutions,
      list: async () => (await services.heldExecutions.list()).filter(({ projectId }) => sees(projectId)),
      answer: (id, answer, peer) => services.heldExecutions.answer(id, answer, peer, by),
      setBudget: (taskId, budget, peer) => services.heldExecutions.setBudget(taskId, budget, peer, by),
    },
    workers: {
      ...services.workers,
      async list() {
        const workers = await services.workers.list();
        return workers.map((worker) => ({ ...worker, fetches: worker.fetches.filter(({ projectId }) => sees(projectId)) }));
      },
    },
    inbox: { ...services.inbox, list: async () => (await services.inbox.list()).filter(seesTask) },
    usage: (query) => services.usage({ ...query, projectIds }),
    search: (query) => services.search({ ...query, projectIds }),
    async storageUse() {
      const use = await services.storageUse();
      if (viewer.isAdmin) return use;
      const projects = use.projects.filter(({ projectId }) => sees(projectId));
      const total = (size: (one: (typeof projects)[number]) => number) => projects.reduce((sum, one) => sum + size(one), 0);
      return {
        // what does not belong to a project is for administrators
        ...{ database: 0, sandboxHomes: 0, quarantine: 0, other: 0, deleting: { messages: 0, worktrees: 0 } },
        executionLogs: total((one) => one.executionLogs),
        outputs: total((one) => one.outputs),
        worktrees: total((one) => one.worktrees),
        projects,
      };
    },
    quarantine: {
      ...services.quarantine,
      list: async () => (await services.quarantine.list()).filter(({ projectId }) => viewer.isAdmin || sees(projectId)),
    },
    events: {
      ...services.events,
      subscribe: (listener) =>
        services.events.subscribe((delivery) => {
          if (seesEvent(delivery.event)) listener(delivery);
        }),
      async list(query) {
        // a page without anything visible would look like the end
        for (let { after } = query; ; ) {
          const page = await services.events.list({ ...query, after });
          const visible = page.filter(({ event }) => seesEvent(event));
          const last: SequencedEvent | undefined = page.at(-1);
          if (visible.length > 0 || last === undefined) return visible;
          after = last.seq;
        }
      },
      async *missed(query) {
        // it may be among what was missed
        if (by.id.startsWith("usr_")) yield { type: "access:changed", userId: by.id as UserId };
        for await (const event of services.events.missed(query)) if (seesEvent(event)) yield event;
      },
      live: (query) => services.events.live(query).filter(({ event }) => seesEvent(event)),
    },
  };
}
