import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findDeliveryId, isSigned } from "./hook-signature.ts";

describe("[L6] deliveries to incoming webhooks", () => {
  it("a delivery is signed by GitHub's or Gitea's HMAC, GitLab's token or a bearer; without one, or with a wrong one among right ones, it is not", () => {
    const [secret, body] = ["s3cret", '{"a":"ü"}'];
    const hmac = createHmac("sha256", secret).update(body).digest("hex");
    const check = (headers: Record<string, string>, sent = body) => isSigned(new Headers(headers), sent, secret);
    expect([
      check({ "x-hub-signature-256": `sha256=${hmac}` }),
      check({ "x-gitea-signature": hmac }),
      check({ "x-gitlab-token": secret }),
      check({ authorization: `Bearer ${secret}` }),
    ]).toEqual([true, true, true, true]);
    expect([
      check({}),
      check({ "x-hub-signature-256": hmac }),
      check({ "x-hub-signature-256": `sha256=${hmac}` }, `${body} `),
      check({ "x-gitlab-token": "" }),
      check({ authorization: "Bearer wrong", "x-gitlab-token": secret }),
      check({ authorization: `Basic ${secret}` }),
    ]).toEqual([false, false, false, false, false, false]);
  });

  it("the sender's id of a delivery is bounded", () => {
    expect(findDeliveryId(new Headers({ "x-github-delivery": "d".repeat(999) }))?.length).toBe(200);
    expect(findDeliveryId(new Headers())).toBeUndefined();
  });
});
