import { sessionHeader } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { routeTable } from "../routes/route-table.ts";
import { createTestHttp, send, signIn, testHost, testOrigin } from "../testing/test-http.ts";

const addressOf = (path: string) => path.replace(/:id/g, "x_1").replace(/:name/g, "x");
const guarded = routeTable.filter(({ access }) => access !== "public" && access !== "own-page");

/** What another program that received the cookie can add to it. */
const forgeries: Record<string, string>[] = [{}, { origin: testOrigin }, { "sec-fetch-site": "same-origin" }].flatMap((site) =>
  [
    {},
    { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty", referer: `${testOrigin}/` },
    { [sessionHeader]: "" },
    { [sessionHeader]: "sks_guess" },
    { [sessionHeader]: testHost },
    { "x-forwarded-for": "127.0.0.1", "x-forwarded-host": testHost },
  ].map((more) => ({ ...site, ...more })),
);

describe("a cookie without its secret", () => {
  it.each(guarded.map(({ method, path }) => [method, path] as const))(
    "[X18] opens nothing: %s %s is 401 with every header that can be forged",
    async (method, path) => {
      const http = createTestHttp();
      const { cookie, [sessionHeader]: secret } = await signIn(http);
      const value = cookie.split("=")[1] ?? "";
      const all = [...forgeries, { origin: testOrigin, [sessionHeader]: value }, { origin: testOrigin, authorization: `Bearer ${value}` }];
      for (const headers of all) {
        const response = await send(http, method, addressOf(path), { headers: { authorization: null, cookie, ...headers } });
        expect([headers, response.status]).toEqual([headers, 401]);
      }
      // nor does the secret without its cookie
      const response = await send(http, method, addressOf(path), {
        headers: { authorization: null, origin: testOrigin, [sessionHeader]: secret },
      });
      expect(response.status).toBe(401);
    },
  );

  it("every route is guarded but those that must not be", () => {
    const open = routeTable.filter((route) => !guarded.includes(route)).map(({ method, path, access }) => `${access} ${method} ${path}`);
    expect(open).toEqual([
      "public GET /api/health",
      "own-page POST /api/sessions",
      "public POST /api/hooks/:id",
      "public GET /api/sign-in",
      "own-page POST /api/sign-in",
      "own-page POST /api/invitations/read",
      "own-page POST /api/invitations/accept",
      "own-page POST /api/sign-in/:provider/start",
      "public GET /api/sign-in/:provider/callback",
      "public POST /api/workers/enrolments",
    ]);
  });
});
