import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Answers one request with git's own HTTP server, for the bare repositories below `root`. */
export function runHttpBackend(input: { root: string; user: string; request: IncomingMessage; response: ServerResponse }): void {
  const { root, user, request, response } = input;
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const child = spawn("git", ["http-backend"], {
    env: {
      ...{ PATH: process.env.PATH, GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: "1", PATH_INFO: pathname, QUERY_STRING: search.slice(1) },
      ...{ REQUEST_METHOD: request.method, CONTENT_TYPE: request.headers["content-type"], REMOTE_USER: user },
      ...(request.headers["content-encoding"] === undefined ? {} : { HTTP_CONTENT_ENCODING: request.headers["content-encoding"] }),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdout.once("end", () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf("\r\n\r\n");
    const headers = answer
      .subarray(0, end)
      .toString("latin1")
      .split("\r\n")
      .map((line) => line.split(": ") as [string, string]);
    const status = headers.find(([name]) => name === "Status")?.[1];
    response.writeHead(
      status === undefined ? 200 : Number.parseInt(status, 10),
      Object.fromEntries(headers.filter(([name]) => name !== "Status")),
    );
    response.end(answer.subarray(end + 4));
  });
}
