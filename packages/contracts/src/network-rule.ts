/** Where a sandbox may connect to, as it is written in the settings. */
export interface NetworkRule {
  /** A name, `*.` and a name, `*`, or an address. */
  host: string;
  isAddress: boolean;
  /** Absent: 80 and 443. */
  port?: number;
}

const label = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const namePattern = new RegExp(`^(?:\\*|(?:\\*\\.)?(?:${label}\\.)*${label})$`);
const addressPattern = /^(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f:.]*:[0-9a-f:.]*)$/;

/**
 * Reads one rule; undefined if it is not valid.
 *
 *     example.com         this name, ports 80 and 443
 *     *.example.com       every name below it
 *     example.com:8443    this name and this port only
 *     127.0.0.1:4010      an address and a port, of this machine or its network
 *     localhost:4010      the same as 127.0.0.1:4010
 *     *                   every public address, ports 80 and 443
 */
export function parseNetworkRule(text: string): NetworkRule | undefined {
  const [, written, digits] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text.trim().toLowerCase()) ?? [];
  if (written === undefined) return undefined;
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  const host = written === "localhost" ? "127.0.0.1" : written.replace(/^\[|\]$/g, "");
  const isAddress = addressPattern.test(host);
  if (isAddress) return port === undefined ? undefined : { host, isAddress, port };
  return namePattern.test(host) && !/^[\d.]+$/.test(host) ? { host, isAddress, ...(port === undefined ? {} : { port }) } : undefined;
}
