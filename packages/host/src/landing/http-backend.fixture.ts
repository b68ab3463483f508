import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runHttpBackend } from "@skein/testkit/forge-servers";

/** Serves the bare repositories below a folder over HTTP, with git's own server, to whoever has the password. */
export async function serveRepositories(
  root: string,
  credential: { username: string; token: string },
): Promise<{ url: string; close(): void }> {
  const expected = `Basic ${Buffer.from(`${credential.username}:${credential.token}`).toString("base64")}`;
  const server = createServer((request, response) => {
    if (request.headers.authorization === expected) runHttpBackend({ root, user: credential.username, request, response });
    else response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
