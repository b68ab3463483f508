import type { NodeId } from "@skein/contracts";
import { ServiceError, type StorageNodes } from "@skein/engine";
import type { Logger } from "../../logger.ts";
import type { NodeMembership } from "../../nodes/join-nodes.ts";
import type { Route } from "../route.ts";
import type { Caller } from "../security/access.ts";
import { toHopHeaders } from "./hop-headers.ts";
import { findSubject, placeOf, type RoutePlace } from "./route-places.ts";

/** Headers of an answer that describe its content; those of the connection are not passed on. */
const passedHeaders = [
  "content-type",
  "content-disposition",
  "content-language",
  "etag",
  "last-modified",
  "retry-after",
  "x-content-type-options",
];

export interface ForwardedRequest {
  route: Route;
  method: string;
  /** Path and query, as sent. */
  target: string;
  params: unknown;
  query: unknown;
  /** The JSON value, as sent. */
  body: unknown;
  headers: Headers;
  /** Who sends it, and from where. */
  caller: Caller;
  address: string;
  /** Values of the session cookie. */
  cookies: readonly string[];
  signal: AbortSignal;
}

/** Answers a request by the server that its project or attempt is on; undefined if that is this one. */
export type ForwardRequest = (request: ForwardedRequest) => Promise<Response | undefined>;

/** The caller of a request must have been checked before; a request that was forwarded is not forwarded again. */
export function createForwardRequest(input: {
  nodes: StorageNodes;
  membership: NodeMembership;
  secret: string;
  logger: Logger;
}): ForwardRequest {
  const { nodes, membership } = input;

  /** The server to answer by. */
  async function findNode(subject: string, place: RoutePlace): Promise<NodeId | undefined> {
    const home = await nodes.findNodeOf({ id: subject });
    if (place !== "worker" || home === undefined || home === nodes.id || (await membership.findAlive(home))) return home;
    const holder = await nodes.findConnectionOf({ id: subject });
    const isUsable = holder === nodes.id || (holder !== undefined && (await membership.findAlive(holder)) !== undefined);
    return isUsable ? holder : home;
  }

  return async (request) => {
    const place = placeOf(request.route);
    if (place === "anywhere") return undefined;
    const subject = findSubject(request);
    const id = subject === undefined ? undefined : await findNode(subject, place);
    if (id === undefined || id === nodes.id) return undefined;
    const isOptional = place === "near";
    const node = isOptional ? await membership.findAlive(id) : await membership.getAlive(id);
    if (node === undefined) return undefined;
    const lost = new AbortController();
    // a server that is paused accepts connections and answers nothing
    const stopWatching = membership.onRenewed(() => {
      if (!membership.find(id)?.isAlive) lost.abort();
    });
    try {
      return await send(request, { url: node.internalUrl, secret: input.secret, signal: lost.signal });
    } catch (error) {
      if (request.signal.aborted) throw error;
      input.logger.warn("a request could not be forwarded", { nodeId: id, method: request.method, error });
      if (isOptional) return undefined;
      throw new ServiceError("unavailable", { code: "node-unreachable", name: node.name });
    } finally {
      stopWatching();
    }
  };
}

async function send(request: ForwardedRequest, to: { url: string; secret: string; signal: AbortSignal }): Promise<Response> {
  const response = await fetch(new URL(request.target, to.url), {
    method: request.method,
    headers: {
      ...toHopHeaders(request, to.secret),
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: request.body === undefined ? null : JSON.stringify(request.body),
    redirect: "manual",
    signal: AbortSignal.any([to.signal, request.signal]),
  });
  const headers = new Headers();
  for (const name of passedHeaders) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(response.body, { status: response.status, headers });
}
