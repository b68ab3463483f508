export interface GeminiBlob {
  mimeType: string;
  data: string;
}

/** A part of a content, as the writer makes it. */
export type GeminiPart = { thoughtSignature?: string } & (
  | { text: string }
  | { inlineData: GeminiBlob }
  | { functionCall: { id: string; name: string; args: Record<string, unknown> } }
  | { functionResponse: { id: string; name: string; response: Record<string, unknown>; parts?: { inlineData: GeminiBlob }[] } }
);

/** A content of the Gemini API, as the writer makes it. */
export interface GeminiContent {
  role: "user" | "model";
  parts: GeminiPart[];
}
