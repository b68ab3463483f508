import { sessionHeader } from "@skein/contracts";
import { nodeHeader } from "../../nodes/node-header.ts";
import type { Caller } from "../security/access.ts";

/** For whom a server forwards a request. Counts only together with the proof. */
export const forwardedHeader = "x-skein-forwarded";
/** The values of the session cookie, whose name differs from port to port. */
export const cookiesHeader = "x-skein-cookies";
/** The address of the client that sent the forwarded request. */
export const clientAddressHeader = "x-skein-client-address";

/**
 * Headers by which another server finds the same caller. A user is identified there by the user's own credentials, which are in the
 * database, and has no other rights than here. `instance`: the owner of a server without users, or the token of its data dir.
 */
export function toHopHeaders(
  request: { headers: Headers; cookies: readonly string[]; caller: Caller; address: string },
  secret: string,
): Record<string, string> {
  const { caller, headers } = request;
  const hop = { [nodeHeader]: secret, [clientAddressHeader]: request.address };
  switch (caller.kind) {
    case "anyone":
      return { ...hop, [forwardedHeader]: "anyone" };
    case "program":
    case "browser":
      return { ...hop, [forwardedHeader]: "instance" };
    case "token":
      return { ...hop, [forwardedHeader]: "user", authorization: headers.get("authorization") ?? "" };
    case "user": {
      const own =
        caller.credential.kind === "token"
          ? { authorization: headers.get("authorization") ?? "" }
          : { [cookiesHeader]: request.cookies.join(";"), [sessionHeader]: headers.get(sessionHeader) ?? "" };
      return { ...hop, [forwardedHeader]: "user", ...own };
    }
  }
}
