const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  // strings never become script; the only policy is in the web UI's trusted-types.ts
  "require-trusted-types-for 'script'",
  "trusted-types default",
].join("; ");

/** Sent with every response, including errors and files. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

export function applySecurityHeaders(headers: Headers): void {
  for (const name in securityHeaders) headers.set(name, securityHeaders[name] ?? "");
}
