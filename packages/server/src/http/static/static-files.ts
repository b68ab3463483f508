import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";
import { HttpProblem } from "../http-problem.ts";
import { notBuiltPage } from "./pages.ts";

/** Serves the built web UI. The files contain no data and need no credentials; the page signs in for its requests. */
export function createStaticFiles(webRoot: string | null): (c: Context) => Promise<Response> {
  if (webRoot === null) return async () => notBuilt();
  let serveFile: MiddlewareHandler | undefined;
  return async (c) => {
    if (c.req.path !== "/" && extname(c.req.path) !== "") {
      if (!existsSync(webRoot)) return notBuilt();
      serveFile ??= serveStatic({ root: webRoot, precompressed: true, index: "" });
      const file = await serveFile(c, async () => {});
      if (!(file instanceof Response)) {
        throw new HttpProblem({ status: 404, text: { code: "not-found", id: c.req.path } });
      }
      file.headers.set("cache-control", toCacheControl(c.req.path));
      file.headers.append("vary", "accept-encoding");
      return file;
    }
    return indexPage(c, webRoot);
  };
}

/** Names under /assets/ contain a hash. A page shows its icon several times: without a lifetime, each is a separate request. */
function toCacheControl(path: string): string {
  if (path.startsWith("/assets/")) return "public, max-age=31536000, immutable";
  return extname(path) === ".svg" ? "public, max-age=86400" : "no-cache";
}

/** Every path of the UI is the same page. It names the hashed files, so it must always be revalidated. */
async function indexPage(c: Context, webRoot: string): Promise<Response> {
  const accepted = new Set(
    c.req
      .header("accept-encoding")
      ?.split(",")
      .map((encoding) => encoding.trim()),
  );
  const path = join(webRoot, "index.html");
  const found =
    (accepted.has("br") && (await readIfThere(`${path}.br`, "br"))) ||
    (accepted.has("gzip") && (await readIfThere(`${path}.gz`, "gzip"))) ||
    (await readIfThere(path, undefined));
  if (!found) return notBuilt();
  const etag = `"${createHash("sha256").update(found.content).digest("base64url").slice(0, 22)}"`;
  const headers = new Headers({ etag, "cache-control": "no-cache", vary: "accept-encoding" });
  if (c.req.header("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
  headers.set("content-type", "text/html; charset=utf-8");
  if (found.encoding !== undefined) headers.set("content-encoding", found.encoding);
  return new Response(found.content, { headers });
}

async function readIfThere(path: string, encoding: string | undefined) {
  try {
    return { content: await readFile(path), encoding };
  } catch {
    return undefined;
  }
}

function notBuilt(): Response {
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return new Response(notBuiltPage, { status: 503, headers });
}
