import type { User } from "@skein/contracts";
import { ServiceError, type StorageTransaction } from "@skein/engine";
import type { Configuration } from "openid-client";
import { z } from "zod";
import { createSecret } from "../browser-secret.ts";
import type { OidcProvider } from "../config/team-settings.ts";
import type { Logger } from "../logger.ts";
import { hashSecret } from "./hash-secret.ts";
import { toUser } from "./identify.ts";
import { acceptInvitation } from "./invitations.ts";
import type { TeamService } from "./team-service.ts";
import { putUser, type TeamContext, toNewUser } from "./users.ts";

const flowLifetimeMs = 10 * 60 * 1000;
const codeLifetimeMs = 60 * 1000;

/** What is remembered while the user is at the provider. */
const flowSchema = z.object({
  kind: z.literal("oidc"),
  provider: z.string(),
  /** Hash of the secret in the browser's cookie. */
  binding: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  invitation: z.string().optional(),
});

/** What a code that was given to the browser stands for. */
export const signInCodeSchema = z.object({ kind: z.literal("sign-in"), userId: z.string(), binding: z.string() });

const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.enum(["true", "false"])]).optional(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
});
type Claims = z.output<typeof claimsSchema>;

/**
 * Sign-in with OpenID Connect: authorization code with PKCE, state and nonce, a redirect URI per provider, and a cookie that ties it to
 * the browser that started it. `openid-client` is loaded on first use.
 */
export function createOidc(
  context: TeamContext & { providers: readonly OidcProvider[]; origin: () => string; logger: Logger },
): TeamService["oidc"] {
  const { storage, now, logger } = context;
  const known = new Map<string, Promise<Configuration>>();

  const getProvider = (id: string): OidcProvider => {
    const provider = context.providers.find((one) => one.id === id);
    if (provider === undefined) throw new ServiceError("not-found", { code: "sign-in-provider-not-found", id });
    return provider;
  };
  const fail = (provider: OidcProvider, reason: string, cause?: unknown): ServiceError => {
    logger.warn("a sign-in with OpenID Connect failed", { provider: provider.id, error: cause });
    return new ServiceError("unavailable", { code: "sign-in-not-completed", provider: provider.name, reason }, { cause });
  };
  const discover = async (provider: OidcProvider): Promise<Configuration> => {
    const client = await import("openid-client");
    const issuer = new URL(provider.issuer);
    const execute = [client.enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [client.allowInsecureRequests] : [])];
    const found =
      known.get(provider.id) ?? client.discovery(issuer, provider.clientId, provider.clientSecret, undefined, { execute, timeout: 10 });
    known.set(provider.id, found);
    // retried at the next sign-in
    found.catch(() => known.delete(provider.id));
    return found;
  };
  const redirectUri = (provider: OidcProvider) => new URL(`/api/sign-in/${provider.id}/callback`, context.origin()).href;

  async function findUser(tx: StorageTransaction, provider: OidcProvider, claims: Claims, invitation: string | undefined): Promise<User> {
    const at = now();
    const identity = { issuer: claims.iss, subject: claims.sub };
    const linked = await tx.findUser(identity);
    if (linked !== undefined) return toUser(linked);
    const isVerified = claims.email_verified === true || claims.email_verified === "true";
    const email = isVerified ? claims.email?.trim().toLowerCase() : undefined;
    const name = (claims.name ?? claims.preferred_username ?? email ?? claims.sub)
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
      .slice(0, 100);
    const link = async (user: User): Promise<User> => {
      await tx.putUserIdentity({ ...identity, userId: user.id, at });
      return user;
    };
    if (invitation !== undefined) return link(await acceptInvitation(tx, { code: invitation, email, name, passwordHash: null, at }));
    // an address that the provider has not verified may be anybody's
    const existing = email === undefined ? undefined : await tx.findUser({ email });
    if (existing !== undefined) return link(toUser(existing));
    const domain = email?.slice(email.lastIndexOf("@") + 1);
    if (email === undefined || domain === undefined || !provider.createUsersFrom.includes(domain)) {
      throw new ServiceError("forbidden", { code: "sign-in-not-invited", provider: provider.name });
    }
    const user = toNewUser({ email, name, isAdmin: false, passwordHash: null }, at);
    await putUser(tx, user);
    return link(toUser(user));
  }

  return {
    async start(id, { invitation }) {
      const provider = getProvider(id);
      const client = await import("openid-client");
      const config = await discover(provider).catch((error: unknown) => {
        throw fail(provider, "it does not respond", error);
      });
      const [verifier, state, nonce, binding] = [
        client.randomPKCECodeVerifier(),
        client.randomState(),
        client.randomNonce(),
        createSecret("flow"),
      ];
      const flow = {
        kind: "oidc",
        provider: id,
        binding: hashSecret(binding),
        verifier,
        nonce,
        ...(invitation === undefined ? {} : { invitation }),
      };
      await storage.transaction((tx) =>
        tx.insertOneTimeCode({ codeHash: hashSecret(state), data: JSON.stringify(flow), expiresAt: now() + flowLifetimeMs }),
      );
      const url = client.buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri(provider), scope: "openid email profile", state, nonce },
        ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
      });
      return { url: url.href, binding };
    },

    async complete(id, { url, binding }) {
      const provider = getProvider(id);
      const state = url.searchParams.get("state") ?? "";
      const data = await storage.transaction((tx) => tx.takeOneTimeCode({ codeHash: hashSecret(state), at: now() }));
      const flow = data === undefined ? undefined : flowSchema.safeParse(JSON.parse(data)).data;
      if (flow === undefined) throw fail(provider, "it took too long, or was already used");
      // another browser, or another provider's answer
      if (flow.provider !== id || flow.binding !== hashSecret(binding)) throw fail(provider, "it was started elsewhere");
      const client = await import("openid-client");
      // as the provider knows it, whatever a proxy made of it
      const current = new URL(redirectUri(provider));
      current.search = url.search;
      const answer = await discover(provider)
        .then((config) =>
          client.authorizationCodeGrant(config, current, {
            ...{ pkceCodeVerifier: flow.verifier, expectedState: state, expectedNonce: flow.nonce, idTokenExpected: true },
          }),
        )
        .catch((error: unknown) => {
          throw fail(provider, "its answer is not valid", error);
        });
      const claims = claimsSchema.safeParse(answer.claims());
      if (!claims.success) throw fail(provider, "its answer is not valid", claims.error);
      const code = createSecret("launch");
      await storage.transaction(async (tx) => {
        const user = await findUser(tx, provider, claims.data, flow.invitation);
        if (user.deactivatedAt !== null) throw new ServiceError("forbidden", { code: "sign-in-not-invited", provider: provider.name });
        const stands = { kind: "sign-in", userId: user.id, binding: flow.binding } satisfies z.input<typeof signInCodeSchema>;
        await tx.insertOneTimeCode({ codeHash: hashSecret(code), data: JSON.stringify(stands), expiresAt: now() + codeLifetimeMs });
      });
      return { code };
    },
  };
}
