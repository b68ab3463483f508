import { join } from "node:path";
import { type ExecutionId, projectIdSchema } from "@skein/contracts";
import { createConcurrencyLimit, ServiceError } from "@skein/engine";
import type { Host } from "@skein/host";

/**
 * The host that a worker serves: this machine, with copies of the projects' repositories in its own data dir. Paths of projects in calls
 * are the server's and are replaced; scripts and agents get the environment of this machine.
 */
export function createWorkerHost(input: { local: Host; home: string; name: string; capacity: number }): Host {
  const { local } = input;
  const launchOne = createConcurrencyLimit(1);
  const withOwnProjects = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, method]) => [
        name,
        (...args: unknown[]) => (method as (...all: unknown[]) => unknown)(...args.map((arg) => replacePaths(arg, input.home))),
      ]),
    ) as Part;
  const workspaces = withOwnProjects(local.workspaces);

  /** What runs here besides `except`. */
  async function countRunning(except: ExecutionId): Promise<number> {
    const ids = (await local.executions.listSockets()).filter((id) => id !== except);
    const running = await Promise.all(ids.map((id) => local.executions.isRunning({ id })));
    return running.filter(Boolean).length;
  }

  const withOwnEnvironment = (environment: Readonly<Record<string, string>>): Record<string, string> => {
    const { SKEIN_PROJECT_DIRECTORY: _server, ...others } = environment;
    return { ...others, ...local.environment };
  };

  return {
    ...local,
    get environment() {
      return local.environment;
    },
    workspaces: {
      ...workspaces,
      async remove(order) {
        const { attempt } = order;
        const work = await local.transfers.readWork(replacePaths(attempt, input.home)).catch(() => null);
        const executionIds = (work?.recorded ?? []).map(({ name }) => name.replace(/\.start$/, "") as ExecutionId);
        const removed = await workspaces.remove(order);
        await workspaces.deleteRecorded({ project: attempt.project, executionIds }).catch(() => {});
        return removed;
      },
      runScript: (order) => local.workspaces.runScript({ ...order, environment: withOwnEnvironment(order.environment) }),
      readMcpTools: (order) => local.workspaces.readMcpTools({ ...order, environment: withOwnEnvironment(order.environment) }),
    },
    transfers: withOwnProjects(local.transfers),
    terminals: {
      ...local.terminals,
      startDev: (order) => local.terminals.startDev({ ...order, environment: withOwnEnvironment(order.environment) }),
    },
    executions: {
      ...local.executions,
      launch: (order) =>
        launchOne(async () => {
          if ((await countRunning(order.id)) >= input.capacity) {
            throw new ServiceError("unavailable", { code: "host-busy", host: input.name });
          }
          const { setup } = order.preamble;
          const preamble =
            setup === undefined
              ? order.preamble
              : { ...order.preamble, setup: { ...setup, environment: withOwnEnvironment(setup.environment) } };
          await local.executions.launch({ ...order, preamble });
        }),
    },
  };
}

/** Where a worker keeps the copies of repositories. */
function toRepositoryPath(home: string, id: string): string {
  return join(home, "repositories", projectIdSchema.parse(id));
}

/** Replaces the paths of projects anywhere in an argument. */
function replacePaths<T>(value: T, home: string): T {
  if (Array.isArray(value)) return value.map((inner) => replacePaths(inner, home)) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  if (Symbol.asyncIterator in value) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, replacePaths(inner as unknown, home)]);
  const copy = Object.fromEntries(entries) as Record<string, unknown>;
  if (typeof copy.id === "string" && copy.id.startsWith("prj_") && "path" in copy) copy.path = toRepositoryPath(home, copy.id);
  return copy as T;
}
