import { setTimeout as wait } from "node:timers/promises";
import { type ClientContext, type InitializeResponse, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import type { DriverContext } from "../driver/driver.ts";
import type { DriverOrder } from "../driver/driver-order.ts";
import { AcpFailure } from "./acp-failure.ts";
import type { AcpOptions } from "./acp-options.ts";
import { findHelloPatience, watchDownload } from "./first-start.ts";

/**
 * The first request of a connection: declares Skein's capabilities, returns the agent's.
 * @throws AcpFailure if the agent does not answer in time, or uses another version of the protocol.
 */
export async function initializeAgent(input: {
  agent: ClientContext;
  order: Pick<DriverOrder, "name" | "command">;
  options: Pick<AcpOptions, "files" | "terminals">;
  record: DriverContext["record"];
}): Promise<InitializeResponse> {
  const { agent, order, options, record } = input;
  const patienceMs = findHelloPatience(order);
  const tooLate = () => new AcpFailure({ code: "no-hello", agent: order.name, seconds: Math.round(patienceMs / 1000) }, "no-answer");
  const answer = agent.request("initialize", {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: "skein", title: "Skein", version: "0.1.0" },
    clientCapabilities: {
      fs: { readTextFile: options.files.read, writeTextFile: options.files.write },
      terminal: options.terminals,
      elicitation: { form: {}, url: {} },
    },
  });
  const endWatch = watchDownload(order, record);
  const late = wait(patienceMs, undefined, { ref: false }).then(() => Promise.reject(tooLate()));
  const hello = await Promise.race([answer, late]).finally(endWatch);
  if (hello.protocolVersion !== PROTOCOL_VERSION) {
    const versions = { theirs: hello.protocolVersion, ours: PROTOCOL_VERSION };
    throw new AcpFailure({ code: "protocol-version-differs", agent: order.name, ...versions }, "not-understood");
  }
  return hello;
}
