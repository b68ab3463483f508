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
    none: "No templates yet. Create one here, or choose “Save as template” in the menu of a task.",
    create: "New template",
    edit: "Edit template",
    use: "Use",
    startLabel: (name: string) => `Use ${name} for a new task`,
    editLabel: (name: string) => `Edit ${name}`,
    deleteLabel: (name: string) => `Delete ${name}`,
    saved: (name: string) => `Saved: ${name}`,
    deleted: (name: string) => `Deleted: ${name}`,
    undo: "Undo",
    name: "Name",
    save: "Save",
    needsName: "Give it a name.",
    needsPrompt: "Write a prompt.",
    variables: (names: string) => `Variables: ${names}`,
  },
  form: {
    project: "Project",
    prompt: "Prompt",
    promptHint: "The agent’s first message. {{name}} is a variable: its value is asked for when the task is started.",
    title: "Title (optional, taken from the prompt)",
    agent: "Agent",
    model: "Model",
    mode: "Permissions",
    sandbox: "Sandbox",
    sandboxOn: "On",
    sandboxOff: "Off",
    baseBranch: "Base branch",
    baseBranchHint: "Empty: the branch that is checked out in the project.",
    asSettings: "As the settings say",
    agentDefault: "The agent’s default",
  },
};

export type AutomationsText = Texts<typeof automationsEn>;
