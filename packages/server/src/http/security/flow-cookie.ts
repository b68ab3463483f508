import type { FlowCookie } from "../route.ts";

const lifetimeSeconds = 600;

/**
 * Sent with the navigation back from the sign-in provider, and with the request that completes the sign-in. `Lax`, because that
 * navigation starts on the provider's page; it opens nothing by itself.
 */
export function createFlowCookie(options: { name: () => string; secure: boolean }): FlowCookie {
  const toHeader = (value: string, maxAge: number) =>
    `${options.name()}=${value}; Path=/api; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${options.secure ? "; Secure" : ""}`;
  return {
    set: (value) => toHeader(value, lifetimeSeconds),
    clear: () => toHeader("", 0),
    read(headers) {
      const start = `${options.name()}=`;
      const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? "";
    },
  };
}
