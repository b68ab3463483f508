import type { Attempt, ForkPoint } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api/api.ts";
import { attemptsQuery } from "../api/queries.ts";
import type { ResentMessage } from "../conversation/rewind-request.ts";
import { useStart } from "../start/use-start.ts";
import { addAttempt } from "./add-attempt.ts";

/** Creates an attempt from a point of another one, with the same agent, and shows it; with a message, it starts at once. */
export function useForkAttempt({
  taskId,
  agent,
  model,
  permissionMode,
}: Attempt): (from: ForkPoint, message?: ResentMessage) => Promise<Attempt> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const start = useStart();
  return async (forkFrom, message) => {
    const like = { agent, permissionMode, forkFrom, ...(model === null ? {} : { model }) };
    const images = message?.images.map(({ mediaType, data }) => `data:${mediaType};base64,${data}`) ?? [];
    const attempt = message
      ? (await start({ task: { id: taskId }, attempt: like, message: message.text, images })).attempt
      : await api.createAttempt(taskId, like);
    client.setQueryData(attemptsQuery(taskId).queryKey, (known) => addAttempt(known, attempt));
    // the new one is the active one, which the address does not name
    await navigate({ to: "/t/$taskId", params: { taskId }, search: ({ view }) => (view === undefined ? {} : { view }) });
    return attempt;
  };
}
