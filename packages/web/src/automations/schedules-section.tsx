import { useAutomationsText } from "./use-automations-text.ts";

export function SchedulesSection() {
  const words = useAutomationsText();
  return <p className="max-w-prose text-ink-soft text-sm">{words.schedules.about}</p>;
}
