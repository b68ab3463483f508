import { isIPv4 } from "node:net";

export class UnsafeBindingError extends Error {
  override readonly name = "UnsafeBindingError";
}

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}

/** Throws if the token would cross the network in plain text: non-local addresses need TLS, or a proxy that terminates it. */
export function assertSafeBinding(options: { host: string; behindProxy: boolean; tls: boolean }): void {
  if (isLoopback(options.host) || options.tls || options.behindProxy) return;
  throw new UnsafeBindingError(
    `Skein does not listen on ${options.host} without encryption. Use a certificate (--tls-cert, --tls-key), or --behind-proxy if a proxy terminates TLS in front of it.`,
  );
}
