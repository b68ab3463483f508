import type { SecretKind } from "@skein/contracts";

/** A secret that is recognised by its form. `group` is the part of a match that is secret; 0: all of it. */
export interface SecretPattern {
  kind: SecretKind;
  pattern: RegExp;
  group: number;
}

const of = (kind: SecretKind, pattern: RegExp, group = 0): SecretPattern => ({ kind, pattern, group });

/**
 * Every quantifier that could match any text is bounded, so that no text takes quadratic time. In a JSON text, quotes and line ends are
 * escaped (`\"`, `\n`), so a backslash ends a value, too.
 */
export const secretPatterns: readonly SecretPattern[] = [
  // With its end, or as much of it as was printed: base64 in lines, possibly escaped, numbered, or with the signs of a diff.
  of(
    "private-key",
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,16000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  ),
  of("private-key", /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\sA-Za-z0-9+/=\\]{20,16000}/g),
  of("private-key", /\bAGE-SECRET-KEY-1[A-Z0-9]{40,80}/g),
  of("skein-token", /\bsk[lcsaif]_[\w-]{8,200}/g),
  of("github-token", /\b(?:gh[opsur]_[A-Za-z0-9]{16,255}|github_pat_\w{16,255})/g),
  of("gitlab-token", /\bgl(?:pat|ptt|dt|rt|cbt|agent|oas|soat|ft|imt)-[\w.-]{16,300}/g),
  of("aws-key", /\b(?:AKIA|ASIA|AROA|ABIA|ACCA)[A-Z0-9]{16}\b/g),
  of("aws-key", /\baws_?(?:secret_?access_?key|session_?token)\b["'\\]{0,3}\s{0,3}[:=]\s{0,3}["'\\]{0,3}([A-Za-z0-9/+=]{30,2000})/gi, 1),
  // Anthropic, OpenAI, OpenRouter, DeepSeek, Groq, xAI, Google, Hugging Face, Replicate, Perplexity, Fireworks, Cerebras
  of("provider-key", /\b(?:sk|gsk|xai|pplx|csk|fw)-[A-Za-z0-9_-]{16,400}/g),
  of("provider-key", /\b(?:gsk|hf|r8|fw|pplx)_[A-Za-z0-9]{16,400}/g),
  of("provider-key", /\bAIza[\w-]{30,60}|\bAQ\.Ab[\w-]{30,200}|\bya29\.[\w.-]{16,1000}|\bGOCSPX-[\w-]{20,60}/g),
  // Slack, npm, PyPI, Stripe, SendGrid, Twilio, DigitalOcean, Docker, Vercel, Linear, Notion, Figma, Shopify, Telegram, Discord hooks
  of("service-token", /\bxox[abeoprs]-[\w-]{10,300}|\bxapp-\d-[\w-]{20,300}|https:\/\/hooks\.slack\.com\/services\/[\w/]{20,100}/g),
  of(
    "service-token",
    /\bnpm_[A-Za-z0-9]{30,60}|\bpypi-[\w-]{40,300}|\b(?:sk|rk|pk|whsec)_(?:live|test)_[A-Za-z0-9]{16,300}|\bwhsec_[A-Za-z0-9+/=]{24,100}/g,
  ),
  of("service-token", /\bSG\.[\w-]{16,40}\.[\w-]{16,80}|\bSK[0-9a-f]{32}\b|\bdo[opr]_v1_[a-f0-9]{40,80}|\bdckr_pat_[\w-]{20,60}/g),
  of(
    "service-token",
    /\blin_api_[A-Za-z0-9]{30,60}|\bntn_[A-Za-z0-9]{30,60}|\bfigd_[\w-]{30,60}|\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|\bvcp_[A-Za-z0-9]{20,80}/g,
  ),
  of(
    "service-token",
    /\b\d{8,10}:AA[\w-]{32,34}\b|https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/[\w-]{30,100}/g,
  ),
  of("jwt", /\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,12000}\.[\w-]{0,1000}/g),
  of(
    "authorization",
    /\b(?:proxy-)?authorization["'\\]{0,3}\s{0,3}[:=]\s{0,3}["'\\]{0,3}(?:(?:Bearer|Basic|Token|Digest|ApiKey)\s{1,3})?([^\s"'\\,;}]{6,4000})/gi,
    1,
  ),
  of(
    "authorization",
    /\b(?:x-(?:goog-)?api-key|api-key|skein-session|private-token|x-auth-token)["'\\]{0,3}\s{0,3}[:=]\s{0,3}["'\\]{0,3}([^\s"'\\,;}]{6,4000})/gi,
    1,
  ),
  of("authorization", /\b(?:set-)?cookie["'\\]{0,3}\s{0,3}:\s{0,3}["'\\]{0,3}([^\r\n"'\\]{8,4000})/gi, 1),
  of("authorization", /\b(?:Bearer|Basic)\s{1,3}([A-Za-z0-9._~+/=-]{16,4000})/g, 1),
  // the part between the scheme and the host
  of("connection-string", /(?<=[a-zA-Z0-9+.-]):\/\/([^\s/@:"'<>\\]{0,200}:[^\s/@"'<>\\]{1,500})@/g, 1),
  of("connection-string", /\b(?:AccountKey|SharedAccessKey|Password|Pwd)=([^;\s"'\\&]{6,500})(?=;)/gi, 1),
  of(
    "url-parameter",
    /[?&#](?:key|api[-_]?key|access_token|refresh_token|id_token|token|secret|client_secret|password|sig|signature|X-Amz-Signature)=([^&\s"'<>\\#]{8,2000})/gi,
    1,
  ),
  // an environment file or a shell; an expression such as $OTHER or (…) is no secret
  of(
    "assignment",
    /\b[A-Z][A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)=["'\\]{0,3}([^\s"'\\$(){}<>[\],;`]{8,2000})/g,
    1,
  ),
  // other users' homes, of other machines: the user's own is a known value
  of("home-path", /(?<![\w.~-])\/(?:home|Users)\/[A-Za-z0-9._-]{1,64}(?![\w.-])/g),
  of("home-path", /\b[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/)[A-Za-z0-9._-]{1,64}/g),
];

/** The longest match of any pattern, in UTF-16 units. */
export const longestSecret = 17_000;
