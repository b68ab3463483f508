import type { ConversationMessage } from "@skein/contracts";
import { keepStart } from "@skein/engine";
import { useTaskText } from "../i18n/task-text.ts";
import { capMarks } from "../text/cap-marks.ts";
import { firstLine } from "../text/first-line.ts";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";

/** Of a notice that is opened; no notice of ours is that long. */
const maxLength = 20_000;

const warnings = new Set(["changed-elsewhere", "permissions-ignored"]);

/** One quiet line; what is longer can be opened. Output that could not be read is shown as it came. */
export function NoticeLine({ message }: { message: Extract<ConversationMessage, { messageType: "notice" }> }) {
  const dictionary = useTaskText();
  const { message: text } = dictionary.taskPage;
  const [open, setOpen] = useDisclosure(message.id);
  const unreadable = message.metadata?.code === "unreadable-output";
  const warns = warnings.has(message.metadata?.code ?? "");
  const shown = dictionary.coded(message.metadata?.text, message.content);
  // a warning is never folded
  const isLong = !warns && (shown.length > 110 || shown.trimEnd().includes("\n"));
  const line = (
    <>
      <Icon className="mt-[3px]" name={unreadable ? "broken" : warns ? "warning" : "info"} size={14} />
      {unreadable && <span className="shrink-0">{text.unreadable}</span>}
      <span
        className={`min-w-0 ${unreadable ? "font-mono text-[0.75rem] leading-5" : ""} ${isLong && !open ? "truncate" : "whitespace-pre-wrap [overflow-wrap:anywhere]"}`}
      >
        {isLong && !open ? firstLine(shown) : capMarks(keepStart(shown, maxLength))}
      </span>
    </>
  );
  const tone = warns ? "text-warn" : "text-ink-faint";
  if (!isLong) return <p className={`flex min-h-7 items-start gap-2 px-2 py-1 text-sm ${tone}`}>{line}</p>;
  return (
    <button
      aria-expanded={open}
      className="flex min-h-7 w-full items-start gap-2 rounded-md px-2 py-1 text-start text-ink-faint text-sm hover:bg-hover"
      onClick={() => setOpen(!open)}
      title={open ? undefined : text.more}
      type="button"
    >
      {line}
      <Icon className={`ms-auto mt-1 transition-transform ${open ? "rotate-90" : ""}`} name="chevronRight" size={12} />
    </button>
  );
}
