import type { CustomToolCallItem, FunctionCallItem, MessageItem, StreamedItem, SummaryItem } from "./output-items.ts";

/** An event without its sequence number. */
export type Unnumbered = { type: string } & Record<string, unknown>;

/** All events of one item. */
export function itemEvents({ item, pieces }: StreamedItem, outputIndex: number): Unnumbered[] {
  const place = { item_id: item.id, output_index: outputIndex };
  const done = { type: "response.output_item.done", output_index: outputIndex, item };
  switch (item.type) {
    case "reasoning":
      return [added(outputIndex, { ...item, summary: [] }), ...summaryEvents(item, pieces, place), done];
    case "message":
      return [added(outputIndex, { ...item, status: "in_progress", content: [] }), ...messageEvents(item, pieces, place), done];
    case "function_call":
      return [added(outputIndex, { ...item, status: "in_progress", arguments: "" }), ...functionCallEvents(item, pieces, place), done];
    case "custom_tool_call":
      return [added(outputIndex, { ...item, status: "in_progress", input: "" }), ...customCallEvents(item, pieces, place), done];
  }
}

type Place = { item_id: string; output_index: number };

function added(outputIndex: number, item: object): Unnumbered {
  return { type: "response.output_item.added", output_index: outputIndex, item };
}

function summaryEvents(item: SummaryItem, pieces: string[], place: Place): Unnumbered[] {
  return item.summary.flatMap((part, summaryIndex) => {
    const at = { ...place, summary_index: summaryIndex };
    return [
      { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
      ...pieces.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
      { type: "response.reasoning_summary_text.done", ...at, text: part.text },
      { type: "response.reasoning_summary_part.done", ...at, part },
    ];
  });
}

function messageEvents(item: MessageItem, pieces: string[], place: Place): Unnumbered[] {
  const [part] = item.content;
  const at = { ...place, content_index: 0 };
  const text = pieces.join("");
  const refuses = part !== undefined && "refusal" in part;
  const opened = refuses ? { ...part, refusal: "" } : { ...part, text: "" };
  const kind = refuses ? "response.refusal" : "response.output_text";
  const finished = refuses ? { refusal: text } : { text, logprobs: [] };
  return [
    { type: "response.content_part.added", ...at, part: opened },
    ...pieces.map((delta) => ({ type: `${kind}.delta`, ...at, delta, ...(!refuses && { logprobs: [] }) })),
    { type: `${kind}.done`, ...at, ...finished },
    { type: "response.content_part.done", ...at, part },
  ];
}

function functionCallEvents(item: FunctionCallItem, pieces: string[], place: Place): Unnumbered[] {
  return [
    ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta })),
    { type: "response.function_call_arguments.done", ...place, name: item.name, arguments: item.arguments },
  ];
}

function customCallEvents(item: CustomToolCallItem, pieces: string[], place: Place): Unnumbered[] {
  return [
    ...pieces.map((delta) => ({ type: "response.custom_tool_call_input.delta", ...place, delta })),
    { type: "response.custom_tool_call_input.done", ...place, input: item.input },
  ];
}
