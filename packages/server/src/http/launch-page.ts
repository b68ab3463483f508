import type { Context } from "hono";
import type { LaunchCodes } from "./security/launch-codes.ts";
import type { SessionCookie } from "./security/session-cookie.ts";
import { spentCodePage } from "./static/pages.ts";

/** Trades a launch code for a cookie and leads away at once, so that the code does not stay in the address bar. */
export function createLaunchPage(codes: LaunchCodes, cookie: SessionCookie): (c: Context) => Response {
  return (c) => {
    const noStore = { "cache-control": "no-store" };
    // a link preview or a prefetching browser must not spend the code before the person comes
    if (c.req.method === "HEAD" || c.req.header("sec-purpose")?.includes("prefetch")) {
      return new Response(null, { status: 503, headers: noStore });
    }
    if (codes.redeem(c.req.query("code") ?? "")) {
      return new Response(null, { status: 303, headers: { ...noStore, location: "/", "set-cookie": cookie.issue() } });
    }
    return new Response(spentCodePage, { status: 403, headers: { ...noStore, "content-type": "text/html; charset=utf-8" } });
  };
}
