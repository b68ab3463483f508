import { z } from "zod";

const isLoopbackUrl = (url: string) => /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?(\/|$)/.test(url);

const oidcProviderSchema = z.strictObject({
  /** Part of the redirect URI: `<address of this server>/api/sign-in/<id>/callback`. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, "use lower-case letters, digits and hyphens"),
  name: z.string().min(1).max(60),
  /** Its `/.well-known/openid-configuration` is read. */
  issuer: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.startsWith("https:") || isLoopbackUrl(url), { error: "must be https, except on this machine" }),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** Domains of verified addresses for which a user is created at the first sign-in. Default: none, users are invited. */
  createUsersFrom: z.array(z.string().toLowerCase().min(1)).default([]),
});
export type OidcProvider = z.output<typeof oidcProviderSchema>;

/** Team mode: users, roles and sign-in. */
export const teamSettingsSchema = z.strictObject({
  /** OpenID Connect providers, next to passwords. */
  oidc: z
    .array(oidcProviderSchema)
    .max(10)
    .refine((providers) => new Set(providers.map(({ id }) => id)).size === providers.length, { error: "each id once" })
    .default([]),
});
export type TeamSettings = z.output<typeof teamSettingsSchema>;
