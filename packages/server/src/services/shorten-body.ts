import type { AssistantMessage, ImagePart, JsonValue, MessageBody, TextPart, ToolResultPart } from "@skein/contracts";
import { keepStart } from "@skein/engine";

/** Enough to recognise a message; the rest is loaded when it is opened. */
const longestText = 2000;

/** Omits long texts, images and provider-specific data. Returns the same object if there is nothing to omit. */
export function shortenBody(body: MessageBody): MessageBody {
  let isShortened = false;
  const cut = (text: string): string => {
    if (text.length <= longestText) return text;
    isShortened = true;
    return keepStart(text, longestText);
  };
  const shortenPart = (part: TextPart | ImagePart): TextPart => {
    if (part.type === "text") return { type: "text", text: cut(part.text) };
    isShortened = true;
    return { type: "text", text: `[${part.mediaType}, ${Math.ceil((part.data.length * 3) / 4 / 1024)} KB]` };
  };
  const shortenContent = (content: string | (TextPart | ImagePart)[]) =>
    typeof content === "string" ? cut(content) : content.map(shortenPart);
  const shortenThought = (part: Exclude<AssistantMessage["content"], string>[number]) => {
    if (part.type === "text") return { type: "text" as const, text: cut(part.text) };
    isShortened ||= part.signature !== undefined || part.providerData !== undefined;
    return { type: "reasoning" as const, text: cut(part.text) };
  };
  const shortenInput = (input: JsonValue): JsonValue => {
    if ((typeof input !== "object" && typeof input !== "string") || JSON.stringify(input).length <= longestText) return input;
    isShortened = true;
    return null;
  };
  const shortenResult = ({ input, result, ...part }: ToolResultPart): ToolResultPart => ({
    ...part,
    input: shortenInput(input),
    result: shortenContent(result),
  });

  const shortened = ((): MessageBody => {
    switch (body.role) {
      case "system":
        return { ...body, content: cut(body.content) };
      case "user":
        return { ...body, content: shortenContent(body.content) };
      case "tool":
        return { ...body, content: body.content.map(shortenResult) };
      case "assistant": {
        const content = typeof body.content === "string" ? cut(body.content) : body.content.map(shortenThought);
        const toolCalls = body.toolCalls?.map(({ id, type, function: { name, arguments: text } }) => ({
          id,
          type,
          function: { name, arguments: cut(text) },
        }));
        return { role: "assistant", content, ...(toolCalls === undefined ? {} : { toolCalls }) };
      }
    }
  })();
  return isShortened ? shortened : body;
}
