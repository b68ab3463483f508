import { type Project, projectSchema } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

export function buildProject(overrides: Partial<Project> = {}): Project {
  const id = overrides.id ?? testId("prj");
  return projectSchema.parse({
    id,
    name: "Project",
    path: `/projects/${id}`,
    systemPrompt: "",
    createdAt: testTime,
    updatedAt: testTime,
    ...overrides,
  });
}
