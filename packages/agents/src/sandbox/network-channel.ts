/** File descriptors that bubblewrap inherits: the system call filter, which it reads, and the network channel, which it passes on. */
export const filterDescriptor = 3;
export const channelDescriptor = 4;

/** The port of the HTTP proxy on the sandbox's own `127.0.0.1`. */
export const proxyPort = 3128;

/** The stream that leads to the HTTP proxy; any other stream is named after a local port. */
export const proxyTarget = "proxy";

/** What `sandbox-program.ts` is started with, as JSON. */
export interface SandboxStart {
  /** Ports of the machine outside that are offered inside. */
  localPorts: readonly number[];
  program: string;
  args: readonly string[];
}

/** Variables by which programs find the proxy. The sandbox's own `127.0.0.1` is reached without it. */
export const proxyEnvironment: Readonly<Record<string, string>> = Object.fromEntries([
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) =>
    [name, name.toLowerCase()].map((each) => [each, `http://127.0.0.1:${proxyPort}`]),
  ),
  ...["NO_PROXY", "no_proxy"].map((name) => [name, "localhost,127.0.0.1,::1"]),
  ["NODE_USE_ENV_PROXY", "1"],
]);
