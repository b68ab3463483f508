import type { JsonValue, ToolCall } from "@skein/contracts";

/** A call as the model made it. */
export interface PendingCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it. */
  arguments: string;
  /** `{}` if the arguments are not JSON. */
  input: JsonValue;
  problem: string | undefined;
  providerData: JsonValue | undefined;
}

/** Models omit the arguments of tools that need none. */
export function readArguments(text: string): Pick<PendingCall, "input" | "problem"> {
  if (text.trim() === "") return { input: {}, problem: undefined };
  try {
    return { input: JSON.parse(text), problem: undefined };
  } catch (error) {
    return { input: {}, problem: `The arguments are not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

export function chooseCallId(wanted: string, used: ReadonlySet<string>): string {
  const base = wanted === "" ? "call" : wanted;
  for (let number = 1; ; number++) {
    const id = number === 1 && wanted !== "" ? base : `${base}-${number}`;
    if (!used.has(id)) return id;
  }
}

export function toToolCall(call: PendingCall): ToolCall {
  return {
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
    ...(call.providerData === undefined ? {} : { providerData: call.providerData }),
  };
}
