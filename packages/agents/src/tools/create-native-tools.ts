import type { MessageEntity } from "@skein/contracts";
import { createBashTool } from "./bash-tool.ts";
import { createEditTool } from "./edit-tool.ts";
import { createGlobTool } from "./glob-tool.ts";
import { createGrepTool } from "./grep-tool.ts";
import { createJobTools } from "./job-tools.ts";
import { createListTool } from "./list-tool.ts";
import { createReadTool } from "./read-tool.ts";
import { createTodoTool } from "./todo-tool.ts";
import type { NativeTool, ToolEnvironment } from "./tool.ts";
import { createWebFetchTool } from "./web-fetch-tool.ts";
import { createWriteTool } from "./write-tool.ts";

/** The tools of one execution, in the order of the request. */
export function createNativeTools(environment: ToolEnvironment, history: readonly MessageEntity[]): NativeTool[] {
  return [
    createReadTool(environment),
    createWriteTool(environment),
    createEditTool(environment),
    createBashTool(environment),
    ...createJobTools(environment),
    createGlobTool(environment),
    createGrepTool(environment),
    createListTool(environment),
    createWebFetchTool(environment),
    createTodoTool(history),
  ];
}
