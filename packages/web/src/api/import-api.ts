import type { ProjectId, StartImport } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { readAnswer, request } from "./request.ts";
import { sendRequest } from "./send-request.ts";

/** What was found on this machine. Read again whenever it is shown: other programs write to it. */
export const importSourcesQuery = queryOptions({
  queryKey: ["import", "sources"],
  queryFn: ({ signal }) => request("/api/import/sources", { answer: "importSources", signal }),
  refetchOnMount: "always",
});

const pollMs = 500;

export const importRunsQuery = queryOptions({
  queryKey: ["import", "runs"],
  queryFn: ({ signal }) => request("/api/import/runs", { answer: "importRuns", signal }),
  refetchInterval: ({ state }) => (state.data?.runs.some(({ endedAt }) => endedAt === null) ? pollMs : false),
});

export const importApi = {
  start: (body: StartImport) => request("/api/import", { answer: "importRun", method: "POST", body }),
  sendFile: (projectId: ProjectId, file: Blob) =>
    readAnswer(
      sendRequest(`/api/import/file?projectId=${projectId}`, {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: file,
      }),
      { answer: "importRun", source: "POST /api/import/file" },
    ),
  stop: () => request("/api/import/stop", { answer: "importRuns", method: "POST" }),
};
