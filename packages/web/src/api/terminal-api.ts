import type { AttemptId, TerminalId, TerminalSize } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";
import { sendRequest } from "./send-request.ts";

const ofAttempt = (id: AttemptId) => `/api/attempts/${id}/terminals`;
const refreshMs = 4000;
const devRefreshMs = 1500;

/** Terminals of an attempt, and its dev server. */
export const terminalApi = {
  open: (id: AttemptId, size: TerminalSize) => request(ofAttempt(id), { answer: "terminal", method: "POST", body: size }),
  close: (id: AttemptId, terminal: TerminalId) => request(`${ofAttempt(id)}/${terminal}`, { method: "DELETE" }),
  type: (id: AttemptId, terminal: TerminalId, data: string) =>
    request(`${ofAttempt(id)}/${terminal}/input`, { method: "POST", body: { data } }),
  resize: (id: AttemptId, terminal: TerminalId, size: TerminalSize) =>
    request(`${ofAttempt(id)}/${terminal}/size`, { method: "POST", body: size }),
  /** Lines of `TerminalOutput`; the response does not end by itself. */
  read: (id: AttemptId, terminal: TerminalId, from: number, signal: AbortSignal) =>
    sendRequest(`${ofAttempt(id)}/${terminal}/output?from=${from}`, { signal }),
  startDev: (id: AttemptId) => request(`/api/attempts/${id}/dev`, { answer: "devServer", method: "POST" }),
  stopDev: (id: AttemptId) => request(`/api/attempts/${id}/dev/stop`, { answer: "devServer", method: "POST" }),
};

/** Other tabs and the shells themselves change it: read again while it is shown. */
export const terminalsQuery = (id: AttemptId) =>
  queryOptions({
    queryKey: ["terminals", id],
    queryFn: ({ signal }) => request(ofAttempt(id), { answer: "terminals", signal }),
    refetchOnMount: "always",
    refetchInterval: refreshMs,
  });

/** Whether it listens is tried with each request. */
export const devQuery = (id: AttemptId) =>
  queryOptions({
    queryKey: ["dev", id],
    queryFn: ({ signal }) => request(`/api/attempts/${id}/dev`, { answer: "devServer", signal }),
    refetchOnMount: "always",
    refetchInterval: devRefreshMs,
  });
