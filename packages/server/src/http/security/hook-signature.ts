import { createHmac } from "node:crypto";
import { equalsInConstantTime } from "./constant-time.ts";

/**
 * Whether a delivery knows the secret of its webhook: by an HMAC of the body (GitHub, Gitea, Forgejo), or the secret itself (GitLab, and
 * programs that send `Authorization: Bearer`). Of several, each must be right.
 */
export function isSigned(headers: Headers, body: string, secret: string): boolean {
  const hmac = createHmac("sha256", secret).update(body).digest("hex");
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
  const given: readonly (readonly [string | null | undefined, string])[] = [
    [headers.get("x-hub-signature-256"), `sha256=${hmac}`],
    [headers.get("x-gitea-signature"), hmac],
    [headers.get("x-gitlab-token"), secret],
    [bearer, secret],
  ];
  const found = given.filter((pair): pair is readonly [string, string] => typeof pair[0] === "string");
  return found.length > 0 && found.map(([value, expected]) => equalsInConstantTime(value, expected)).every(Boolean);
}

/** The sender's own id of a delivery, which it repeats when it sends it again. */
export function findDeliveryId(headers: Headers): string | undefined {
  const names = ["x-github-delivery", "x-gitea-delivery", "x-gitlab-event-uuid", "idempotency-key", "webhook-id"];
  return names.map((name) => headers.get(name)?.trim().slice(0, 200)).find(Boolean);
}

export function findEvent(headers: Headers): string | undefined {
  return headers.get("x-github-event") ?? headers.get("x-gitea-event") ?? headers.get("x-gitlab-event") ?? undefined;
}
