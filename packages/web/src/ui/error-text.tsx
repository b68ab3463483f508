import type { ReactNode } from "react";
import { ApiError, findStorageCause, NetworkError, toCodedText, UnreadableError } from "../api/api-error.ts";
import type { Dictionary } from "../i18n/en.ts";
import { useText } from "../i18n/locale.tsx";
import { Icon } from "./icon.tsx";

/** What failed and what to do, from the code of the problem. */
export function describeError(error: unknown, text: Dictionary): string {
  const fault = findStorageCause(error);
  if (fault !== undefined && Object.hasOwn(text.faults.causes, fault))
    return joinSentences(text.faults.title, text.faults.causes[fault] ?? "");
  if (error instanceof ApiError) {
    const { problem } = error;
    // the problem itself is about the first invalid field
    const others = (problem.errors ?? [])
      .slice(1)
      .map(({ path, message, text: reason }) => text.app.labelled(path, text.coded(reason, message)));
    return joinSentences(text.coded(toCodedText(problem), problem.detail), others.join(" · ")).trim();
  }
  if (error instanceof UnreadableError) return text.errors.unreadable(toUnreadableName(error));
  return error instanceof NetworkError ? text.errors.network : text.errors.unknown;
}

/** No space follows the full stop of a Chinese sentence. */
const joinSentences = (...sentences: string[]): string => sentences.join(" ").replaceAll("。 ", "。");

const toUnreadableName = ({ source, field }: UnreadableError): string => (field === "" ? source : `${source}: ${field}`);

export function useErrorText(): (error: unknown) => string {
  const text = useText();
  return (error) => describeError(error, text);
}

export function ErrorText({ children, id }: { children: ReactNode; id?: string }) {
  return (
    <p className="flex items-start gap-1.5 text-bad text-sm" id={id} role="alert">
      <Icon className="mt-[3px]" name="warning" size={14} />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}
