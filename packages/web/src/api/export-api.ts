import type { AttemptId, ExportParts, ExportRequest } from "@skein/contracts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";
import { sendRequest } from "./send-request.ts";

/** What an export would redact. Looked for again whenever it is shown: the conversation grows. */
export const redactionQuery = (id: AttemptId, { include, words }: { include: ExportParts; words: readonly string[] }) =>
  queryOptions({
    queryKey: ["redaction", id, include, words],
    queryFn: ({ signal }) =>
      request(`/api/attempts/${id}/export/preview`, { answer: "redactionPreview", method: "POST", body: { include, words }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: "always",
    gcTime: 0,
  });

/** The exported file. */
export function exportAttempt(id: AttemptId, body: ExportRequest): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return sendRequest(`/api/attempts/${id}/export`, { method: "POST", headers, body: JSON.stringify(body) });
}
