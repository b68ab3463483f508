import { agentListSchema, projectIdSchema, projectSchema } from "@skein/contracts";
import { z } from "zod";
import { toResult } from "./tool-result.ts";
import { adding, defineTool, reading, type SkeinTool } from "./tools.ts";

const shownProject = z.object({ id: projectIdSchema, name: z.string(), path: z.string() });
type Project = z.output<typeof projectSchema>;

export const projectTools: readonly SkeinTool[] = [
  defineTool({
    name: "list_projects",
    scope: "read",
    title: "List projects",
    description: "Lists the projects (git repositories) that you can use. Most other tools need the id of a project or of a task in it.",
    input: z.object({}),
    output: z.object({ projects: z.array(shownProject) }),
    annotations: reading,
    async run(_input, { api, signal }) {
      const projects = await api.get("/api/projects", z.array(projectSchema), signal);
      return toResult({ projects: projects.map(toShown) });
    },
  }),
  defineTool({
    name: "create_project",
    scope: "admin",
    title: "Add a project",
    description: "Adds a git repository on the machine of the Skein server as a project. `path` is a folder in it.",
    input: z.object({
      path: z.string().min(1).describe("An absolute path, or one that begins with ~"),
      name: z.string().min(1).max(500).optional().describe("Default: the name of the folder"),
    }),
    output: z.object({ project: shownProject }),
    annotations: adding,
    async run(input, { api, signal }) {
      return toResult({ project: toShown(await api.post("/api/projects", input, projectSchema, signal)) });
    },
  }),
  defineTool({
    name: "list_agents",
    scope: "read",
    title: "List agents and models",
    description:
      "Lists the coding agents that can do tasks, with their models. Agents that are not available have a hint. Leave out agent and model when you start a task to use the user's defaults.",
    input: z.object({}),
    output: z.object({
      defaultAgent: z.string(),
      agents: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          available: z.boolean(),
          hint: z.string().optional(),
          defaultModel: z.string().optional(),
          models: z.array(z.object({ id: z.string(), name: z.string() })),
        }),
      ),
    }),
    annotations: reading,
    async run(_input, { api, signal }) {
      const { agents, defaultAgent } = await api.get("/api/agents", agentListSchema, signal);
      return toResult({
        defaultAgent,
        agents: agents.map(({ id, name, available, hint, defaultModel, models }) => ({
          ...{ id, name, available },
          ...(hint === undefined ? {} : { hint }),
          ...(defaultModel === undefined ? {} : { defaultModel }),
          models: models.map((model) => ({ id: model.id, name: model.name })),
        })),
      });
    },
  }),
];

function toShown({ id, name, path }: Project): z.output<typeof shownProject> {
  return { id, name, path };
}
