import { useAutomationsText } from "./use-automations-text.ts";

export function TemplatesSection() {
  const words = useAutomationsText();
  return <p className="max-w-prose text-ink-soft text-sm">{words.templates.about}</p>;
}
