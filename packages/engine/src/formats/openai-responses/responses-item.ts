export type ResponsesContentPart = { type: "input_text"; text: string } | { type: "input_image"; image_url: string; detail: "auto" };

/** Whether a message of the model comments on its work or is its answer. */
export type ResponsesPhase = "commentary" | "final_answer";

/** A call of a function tool. */
export interface ResponsesCall {
  type: "function_call";
  id?: string;
  call_id: string;
  name: string;
  arguments: string;
}

/** The result of a call. */
export interface ResponsesCallOutput {
  type: "function_call_output";
  call_id: string;
  output: string | ResponsesContentPart[];
}

/** Reasoning of the model, encrypted. */
export interface ResponsesReasoning {
  type: "reasoning";
  id: string;
  summary: { type: "summary_text"; text: string }[];
  encrypted_content: string;
}

/** An input item of the Responses API, as the writer makes it. */
export type ResponsesItem =
  | { type: "message"; role: "user"; content: ResponsesContentPart[] }
  | { type: "message"; role: "assistant"; content: string; phase?: ResponsesPhase }
  | {
      type: "message";
      role: "assistant";
      id: string;
      status: "completed";
      content: { type: "output_text"; text: string; annotations: never[] }[];
      phase?: ResponsesPhase;
    }
  | ResponsesCall
  | ResponsesCallOutput
  | ResponsesReasoning;
