import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { hostIdSchema } from "@skein/contracts";
import { acceptWebSocket } from "@skein/host";
import { sharedLinkPattern } from "../hosts/shared-link-path.ts";
import type { Logger } from "../logger.ts";
import type { Services } from "../services/services.ts";
import { endWithResponse } from "./end-with-response.ts";
import { HttpProblem, internalProblem, toProblem, toProblemInput } from "./http-problem.ts";
import type { RequestGuard } from "./security/request-guard.ts";

/** Where workers connect. */
export const workerLinkPath = "/api/workers/link";

/** Whether a request for an upgrade may be one of ours. */
export function isUpgradePath(path: string | undefined): boolean {
  return path === workerLinkPath || sharedLinkPattern.test(path ?? "");
}

/** Lets workers open WebSockets: with the checks of every other request, and only with a worker's own credential. */
export function acceptUpgrades(server: Server, input: { guard: RequestGuard; services: Services; logger: Logger }): void {
  const { guard, services, logger } = input;

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const headers = toHeaders(request);
    guard.checkHost(headers);
    guard.checkOrigin(headers);
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const [, shared] = sharedLinkPattern.exec(path) ?? [];
    if (shared !== undefined) {
      await guard.checkAccess({ method: "GET", headers }, "node");
      await services.workers.share(hostIdSchema.parse(shared), await acceptWebSocket(request, socket, head));
      return;
    }
    // only with a Node that has no `shouldUpgradeCallback`
    if (path !== workerLinkPath) throw new HttpProblem({ status: 404, text: { code: "unknown-route", path } });
    const [, credential] = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "") ?? [];
    const id = credential === undefined ? undefined : await services.workers.authenticate(credential);
    // browsers cannot set the header; one with an origin is none of ours
    if (id === undefined || headers.has("origin")) {
      throw new HttpProblem({ status: 401, text: { code: "worker-refused" }, headers: { "www-authenticate": "Bearer" } });
    }
    await services.workers.accept(id, await acceptWebSocket(request, socket, head));
  }

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    accept(request, socket, head).catch((error: unknown) => {
      const problem = toProblemInput(error);
      if (problem === undefined) logger.warn("a connection of a worker failed", { error });
      refuse(socket, problem ?? internalProblem);
    });
  });
}

function toHeaders({ headers }: IncomingMessage): Headers {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as [string, string]] : [],
  );
  return new Headers(entries);
}

function refuse(socket: Duplex, input: Parameters<typeof toProblem>[0]): void {
  if (!socket.writable) return void socket.destroy();
  const problem = toProblem(input);
  const headers = { ...input.headers, "content-type": "application/problem+json" };
  endWithResponse(socket, { ...problem, headers, body: JSON.stringify(problem) });
}
