import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server for downloads by the Git LFS protocol (batch API, basic transfer); records its requests. */
export async function startLfsServer(contents: readonly string[]): Promise<{ url: string; downloads: string[]; requests: string[] }> {
  const objects = new Map(contents.map((content) => [toOid(content), content]));
  const downloads: string[] = [];
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    requests.push(request.url ?? "");
    const oid = request.url?.slice(request.url.lastIndexOf("/") + 1) ?? "";
    if (request.method === "GET") {
      downloads.push(oid);
      response.end(objects.get(oid));
      return;
    }
    let body = "";
    for await (const chunk of request) body += chunk;
    const asked = (JSON.parse(body) as { objects: { oid: string; size: number }[] }).objects;
    response.setHeader("content-type", "application/vnd.git-lfs+json");
    const toObject = (one: { oid: string; size: number }) =>
      objects.has(one.oid)
        ? { ...one, authenticated: true, actions: { download: { href: `${url}/objects/${one.oid}` } } }
        : { ...one, error: { code: 404, message: "Object does not exist" } };
    response.end(JSON.stringify({ transfer: "basic", objects: asked.map(toObject) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, downloads, requests };
}

/** The Git LFS object id of a content. */
export function toOid(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

export function toLfsPointer(content: string): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${toOid(content)}\nsize ${content.length}\n`;
}
