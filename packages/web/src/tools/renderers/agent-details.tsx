import { useMemo } from "react";
import { useTaskText } from "../../i18n/task-text.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { firstLine } from "../../text/first-line.ts";
import { useDisclosure } from "../../ui/disclosure.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { useShownItems } from "../../ui/use-shown-items.tsx";
import type { DetailsData } from "./details-data.ts";
import { Panel } from "./panel.tsx";
import { type TodoRow, toTodoRows } from "./todo-rows.ts";

/** Of one entry of a list. */
const itemPart = { characters: 2000, lines: 40 };
const maxOptions = 50;

const todoIcon: Record<TodoRow["status"], IconName> = {
  pending: "circle",
  "in-progress": "halfCircle",
  completed: "check",
  cancelled: "cross",
};

export function TodoDetails({ id, data }: { id: string; data: DetailsData<"todoList"> }) {
  const text = useTaskText();
  const rows = useMemo(() => toTodoRows(data), [data]);
  const { shown, more } = useShownItems(rows, { id, first: 100 });
  const marks = { none: "", added: text.tool.todoAdded, changed: text.tool.todoChanged, removed: text.tool.todoRemoved };
  return (
    <Panel>
      <ul className="space-y-1 px-3 py-2">
        {shown.map((row, index) => {
          const over = row.status === "completed" || row.status === "cancelled" || row.change === "removed";
          const tone = row.status === "completed" ? "text-good" : row.status === "in-progress" ? "text-accent" : "text-ink-faint";
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two items may read the same
            <li className="flex items-start gap-2 text-sm" key={index}>
              <span className={`mt-0.5 ${tone}`}>
                <Icon name={todoIcon[row.status]} size={14} />
                <span className="sr-only">{text.tool.todo[row.status]}</span>
              </span>
              <span className={`min-w-0 flex-1 ${over ? "text-ink-faint" : ""} ${row.change === "removed" ? "line-through" : ""}`}>
                <LongText id={`${id}:${index}`} part={itemPart} text={row.text} />
              </span>
              {row.change !== "none" && <span className="rounded bg-accent-wash px-1.5 text-accent text-xs">{marks[row.change]}</span>}
            </li>
          );
        })}
      </ul>
      {more}
    </Panel>
  );
}

export function SubagentDetails({ id, data }: { id: string; data: DetailsData<"subagent"> }) {
  const text = useTaskText();
  const [promptOpen, setPromptOpen] = useDisclosure(`${id}:prompt`);
  return (
    <Panel aside={data.agentType && <span className="text-ink-faint">{data.agentType}</span>} title={firstLine(data.description ?? "")}>
      {data.prompt && (
        <div className="border-line border-b">
          <button
            aria-expanded={promptOpen}
            className="flex min-h-8 w-full items-center gap-1.5 px-3 text-ink-soft text-xs hover:bg-hover"
            onClick={() => setPromptOpen(!promptOpen)}
            type="button"
          >
            <Icon className={promptOpen ? "rotate-90" : ""} name="chevronRight" size={12} />
            {text.tool.prompt}
          </button>
          {promptOpen && (
            <p className="whitespace-pre-wrap px-3 pb-2 text-ink-soft text-sm [overflow-wrap:anywhere]">
              <LongText id={`${id}:prompt`} text={data.prompt} />
            </p>
          )}
        </div>
      )}
      {data.result && (
        <ScrollBox className="max-h-[60vh] px-3 py-2">
          <Markdown id={`${id}:result`} text={data.result} />
        </ScrollBox>
      )}
    </Panel>
  );
}

export function PlanDetails({ id, data }: { id: string; data: DetailsData<"plan"> }) {
  return (
    <Panel>
      <div className="px-3 py-2">
        <Markdown id={`${id}:plan`} text={data.plan} />
      </div>
    </Panel>
  );
}

export function QuestionDetails({ id, data }: { id: string; data: DetailsData<"question"> }) {
  const text = useTaskText();
  const { shown, more } = useShownItems(data.questions, { id, first: 50 });
  return (
    <Panel>
      <div className="space-y-4 px-3 py-2.5">
        {shown.map((entry, index) => {
          const answer = data.answers?.[entry.question];
          const chosen = (label: string) => answer === label || (Array.isArray(answer) && answer.includes(label));
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two questions may read the same
            <section key={index}>
              {entry.header && <p className="font-medium text-ink-faint text-xs">{firstLine(entry.header)}</p>}
              <p className="font-medium text-sm">
                <LongText id={`${id}:${index}`} part={itemPart} text={entry.question} />
              </p>
              <ul className="mt-1.5 space-y-1">
                {entry.options.slice(0, maxOptions).map((option) => (
                  <li className={`flex gap-2 text-sm ${chosen(option.label) ? "" : "text-ink-soft"}`} key={option.label}>
                    <Icon
                      className={`mt-0.5 ${chosen(option.label) ? "text-good" : "text-ink-faint"}`}
                      name={chosen(option.label) ? "check" : "circle"}
                      size={14}
                    />
                    <span>
                      {firstLine(option.label, 500)}
                      {option.description && <span className="block text-ink-faint text-xs">{firstLine(option.description, 1000)}</span>}
                    </span>
                  </li>
                ))}
              </ul>
              {answer === undefined ? (
                <p className="mt-1.5 text-ink-faint text-xs">{text.tool.noAnswer}</p>
              ) : (
                !entry.options.some((option) => chosen(option.label)) && (
                  <p className="mt-1.5 text-sm">
                    <span className="text-ink-faint">{text.app.labelled(text.tool.answer, "")}</span>
                    <LongText
                      id={`${id}:${index}:answer`}
                      part={itemPart}
                      text={typeof answer === "string" ? answer : JSON.stringify(answer)}
                    />
                  </p>
                )
              )}
            </section>
          );
        })}
        {more}
      </div>
    </Panel>
  );
}
