import type { Texts } from "./texts.ts";

/** Texts of the Automations page. Loaded with it. */
export const automationsEn = {
  title: "Automations",
  sections: { schedules: "Schedules", templates: "Templates" },
  schedules: {
    about: "A schedule creates a task or sends a message at the times you choose: every morning, every Monday, every quarter of an hour.",
  },
  templates: {
    about: "A template is a task that you start again and again: its prompt, agent and settings under one name.",
  },
};

export type AutomationsText = Texts<typeof automationsEn>;
