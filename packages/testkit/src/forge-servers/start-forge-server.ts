import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ForgeAnswer, ForgeApi, ForgeApiContext } from "./forge-api.ts";
import { ForgeWorld } from "./forge-world.ts";
import { runHttpBackend } from "./git-http-backend.ts";
import { createGiteaApi } from "./gitea-api.ts";
import { createGithubApi } from "./github-api.ts";
import { createGitlabApi } from "./gitlab-api.ts";

export interface RecordedForgeRequest {
  method: string;
  path: string;
  status: number;
  /** It was conditional, and nothing had changed if the status is 304. */
  isConditional: boolean;
}

/** Takes the place of the answers to the next requests that match. */
export interface ForgeFault {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** How many requests; 1 by default. */
  times?: number;
  /** `METHOD /path` of the requests that fail; all by default. */
  matches?: RegExp;
}

export interface ForgeServer extends AsyncDisposable {
  kind: "github" | "gitlab" | "gitea";
  /** Its origin: `http://127.0.0.1:<port>`. */
  url: string;
  host: string;
  token: string;
  /** Address of the repository, for `git remote add`. */
  remoteUrl: string;
  world: ForgeWorld;
  requests: RecordedForgeRequest[];
  /** Requests and answers that the forge's description does not allow. */
  violations: string[];
  failNext(fault: ForgeFault): void;
  /** From now on another token is valid. */
  setToken(token: string): void;
  close(): Promise<void>;
}

/**
 * Starts a forge with one empty repository, `acme/app`, below the folder `root`. Its API is on the same port as git over HTTP, and both
 * need the token.
 */
export async function startForgeServer({ kind, root }: { kind: ForgeServer["kind"]; root: string }): Promise<ForgeServer> {
  const world = new ForgeWorld(root, "acme/app");
  const requests: RecordedForgeRequest[] = [];
  const violations: string[] = [];
  const faults: (ForgeFault & { times: number })[] = [];
  let token = "forge-token-0123456789";
  let api: ForgeApi | undefined;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    if (url.pathname.startsWith(`/${world.path}.git/`)) {
      const password = readPassword(request.headers.authorization);
      if (password === token) return runHttpBackend({ root, user: "acme", request, response });
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    if (url.pathname.startsWith("/logs/")) return sendLog(url, request, response);
    const method = request.method ?? "GET";
    const body = await readJson(request);
    const answer = toAnswer({ method, url, body, authorization: request.headers.authorization });
    const { ifNoneMatch, etag, status, text, headers } = finish(answer, request);
    requests.push({ method, path: `${url.pathname}${url.search}`, status, isConditional: ifNoneMatch !== undefined });
    response.writeHead(status, { ...headers, ...(etag === undefined ? {} : { etag }) }).end(text);
  };

  /** Logs are on another host, as of a storage service. */
  const sendLog = (url: URL, request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers.authorization !== undefined) violations.push("a log's host got the token");
    const id = Number(url.pathname.split("/").at(-1));
    const check = world.pulls.flatMap((pull) => world.checksOf(world.headCommit(pull))).find((one) => one.id === id);
    response.writeHead(check === undefined ? 404 : 200, { "content-type": "text/plain" }).end(check?.log ?? "");
  };

  const toAnswer = (call: { method: string; url: URL; body: unknown; authorization: string | undefined }): ForgeAnswer => {
    const { method, url, body, authorization } = call;
    const fault = faults.find(({ matches }) => matches === undefined || matches.test(`${method} ${url.pathname}`));
    if (fault !== undefined) {
      if (--fault.times === 0) faults.splice(faults.indexOf(fault), 1);
      return { status: fault.status, body: fault.body ?? { message: "failed on purpose" }, headers: fault.headers ?? {} };
    }
    if (api === undefined || !url.pathname.startsWith("/api")) return { status: 404, body: { message: "Not Found" } };
    if (authorization !== `Bearer ${token}`) return api.unauthorized();
    return api.handle({ method, url, body });
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      violations.push(`the server failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}`;
  api = createApi(kind, { world, url, report: (violation) => violations.push(violation) });
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return {
    ...{ kind, url, host, world, requests, violations, close, remoteUrl: `${url}/${world.path}.git`, [Symbol.asyncDispose]: close },
    get token() {
      return token;
    },
    failNext: (fault) => void faults.push({ times: 1, ...fault }),
    setToken(next) {
      token = next;
    },
  };
}

function createApi(kind: ForgeServer["kind"], context: ForgeApiContext): ForgeApi {
  switch (kind) {
    case "github":
      return createGithubApi(context);
    case "gitlab":
      return createGitlabApi(context);
    case "gitea":
      return createGiteaApi(context);
  }
}

/** Every successful GET has an entity tag, and is not sent again if the client has it. */
function finish(answer: ForgeAnswer, request: IncomingMessage) {
  const isText = typeof answer.body === "string";
  const text = isText ? (answer.body as string) : JSON.stringify(answer.body);
  const ifNoneMatch = request.headers["if-none-match"];
  const headers = { "content-type": isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8", ...answer.headers };
  if (request.method !== "GET" || answer.status !== 200) return { ...answer, ifNoneMatch, etag: undefined, text, headers };
  // a page of the same items has another link when there are more
  const etag = `W/"${createHash("sha256")
    .update(text)
    .update(answer.headers?.link ?? "")
    .digest("hex")}"`;
  return ifNoneMatch === etag
    ? { ifNoneMatch, etag, status: 304, text: "", headers: {} }
    : { ifNoneMatch, etag, status: 200, text, headers };
}

function readPassword(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic (.+)$/.exec(authorization ?? "") ?? [];
  return encoded === undefined
    ? undefined
    : Buffer.from(encoded, "base64")
        .toString()
        .replace(/^[^:]*:/, "");
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? undefined : JSON.parse(text);
}
