import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the scripted provider does differently. */
export interface Tampering {
  claims?: Record<string, unknown>;
  /** Signs with a key that it does not publish. */
  foreignKey?: boolean;
  /** The `iss` of the authorization response. */
  responseIssuer?: string;
  unsigned?: boolean;
}

export interface ScriptedProvider extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Rules of the protocol that the client broke. */
  violations: string[];
  tamper(tampering: Tampering): void;
  /** What a browser does at the provider: it signs in as `claims`, and gets the address to return to. */
  visit(url: string, claims: Record<string, unknown>): string;
}

/** An OpenID Connect provider on loopback: it checks every rule that it can see, and signs real ID tokens. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const [own, foreign] = [generateKeyPairSync("rsa", { modulusLength: 2048 }), generateKeyPairSync("rsa", { modulusLength: 2048 })];
  const [clientId, clientSecret] = ["skein", "a client secret"];
  const violations: string[] = [];
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string; claims: Record<string, unknown> }>();
  let tampering: Tampering = {};
  let issuer = "";
  const must = (isTrue: boolean, rule: string) => {
    if (!isTrue) violations.push(rule);
  };
  const toIdToken = (claims: Record<string, unknown>, nonce: string) => {
    const at = Math.floor(Date.now() / 1000);
    const payload = { iss: issuer, aud: clientId, iat: at, exp: at + 300, nonce, ...claims, ...tampering.claims };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    if (tampering.unsigned) return `${part({ alg: "none" })}.${part(payload)}.`;
    const text = `${part({ alg: "RS256", kid: "1" })}.${part(payload)}`;
    const { privateKey } = tampering.foreignKey ? foreign : own;
    return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
  };
  const server = createServer(async (request, response) => {
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const { pathname } = new URL(request.url ?? "/", issuer);
    if (pathname === "/.well-known/openid-configuration")
      return json({
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` },
        ...{ response_types_supported: ["code"], subject_types_supported: ["public"], id_token_signing_alg_values_supported: ["RS256"] },
        ...{ code_challenge_methods_supported: ["S256"], authorization_response_iss_parameter_supported: true },
      });
    if (pathname === "/keys") return json({ keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] });
    if (pathname !== "/token") return json({ error: "not_found" }, 404);
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const known = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    if (known === undefined) return json({ error: "invalid_grant" }, 400);
    must(form.get("grant_type") === "authorization_code", "grant_type");
    must(form.get("redirect_uri") === known.redirectUri, "the same redirect_uri at the token endpoint");
    const [basic] = [Buffer.from((request.headers.authorization ?? "").replace(/^Basic /, ""), "base64").toString()];
    const given = form.get("client_secret") ?? decodeURIComponent(basic.split(":")[1] ?? "").replaceAll("+", " ");
    must(given === clientSecret, "client authentication");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    must(challenge === known.challenge, "PKCE: the verifier belongs to the challenge");
    return json({ access_token: "none", token_type: "bearer", expires_in: 60, id_token: toIdToken(known.claims, known.nonce) });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ issuer, clientId, clientSecret, violations },
    tamper(next) {
      tampering = next;
    },
    visit(address, claims) {
      const { searchParams: query, pathname } = new URL(address);
      must(pathname === "/authorize", "the authorization endpoint");
      must(query.get("response_type") === "code", "response_type=code");
      must(query.get("client_id") === clientId, "client_id");
      must(query.get("scope")?.split(" ").includes("openid") === true, "scope openid");
      must(query.get("code_challenge_method") === "S256" && query.has("code_challenge"), "PKCE with S256");
      must((query.get("state") ?? "").length >= 22, "a state that cannot be guessed");
      must((query.get("nonce") ?? "").length >= 22, "a nonce that cannot be guessed");
      const code = randomBytes(16).toString("hex");
      const redirectUri = query.get("redirect_uri") ?? "";
      codes.set(code, { challenge: query.get("code_challenge") ?? "", nonce: query.get("nonce") ?? "", redirectUri, claims });
      const back = new URL(redirectUri);
      back.search = String(new URLSearchParams({ code, state: query.get("state") ?? "", iss: tampering.responseIssuer ?? issuer }));
      return back.href;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
