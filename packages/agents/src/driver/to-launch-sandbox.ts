import type { LaunchContext, LaunchSandbox } from "@skein/engine";
import type { DrivenAgentKind } from "./create-driven-agent.ts";

/** The sandbox of an agent's program: it may reach its provider, wherever its environment or its settings say that is. */
export async function toLaunchSandbox(
  { sandbox: needs }: Pick<DrivenAgentKind, "sandbox">,
  { attempt, sandbox, skein }: Pick<LaunchContext, "attempt" | "sandbox" | "skein">,
  environment: Readonly<Record<string, string>>,
): Promise<LaunchSandbox> {
  const addresses = Object.entries(environment).flatMap(([name, value]) => (/_(BASE_URL|ENDPOINT|API_URL)$/.test(name) ? [value] : []));
  const hosts = [
    ...(sandbox?.hosts ?? []),
    ...(needs?.hosts ?? []),
    ...((await needs?.findHosts?.(environment)) ?? []),
    ...[...addresses, ...(skein === undefined ? [] : [skein.url])].flatMap(toNetworkRule),
  ];
  return { scope: "program", attemptId: attempt.id, hosts: [...new Set(hosts)], home: needs?.home ?? [] };
}

/** The rule that allows the server of a URL; none for what is not one. */
export function toNetworkRule(address: string): string[] {
  const url = URL.parse(address);
  if (url === null || url.hostname === "") return [];
  return [`${url.hostname}:${url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port}`];
}
