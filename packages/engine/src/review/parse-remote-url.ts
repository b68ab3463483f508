/** Whether the host name of a URL is this machine: nobody else sees what is sent there without TLS. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Host and path of an address on a server; undefined for a path of this machine. `git@host:owner/name.git` is one. */
export function parseRemoteUrl(url: string): { host: string; path: string; protocol: "https" | "http" | "ssh" } | undefined {
  const [, protocol, host, path] = /^(https?|ssh|git\+ssh):\/\/(?:[^@/]*@)?([^/]+)\/(.+?)(?:\.git)?\/?$/i.exec(url) ?? [];
  if (protocol !== undefined && host !== undefined && path !== undefined) {
    const isHttp = protocol.toLowerCase().startsWith("http");
    return {
      host: isHttp ? host : host.replace(/:\d+$/, ""),
      path,
      protocol: isHttp ? (protocol.toLowerCase() as "https" | "http") : "ssh",
    };
  }
  const [, scpHost, scpPath] = /^(?:[^@/:]+@)?([^/:]{2,}):(?!\/\/)(.+?)(?:\.git)?\/?$/.exec(url) ?? [];
  return scpHost === undefined || scpPath === undefined ? undefined : { host: scpHost, path: scpPath.replace(/^\//, ""), protocol: "ssh" };
}
