import { bashProcessor } from "./bash-processor.ts";
import { editProcessor } from "./edit-processor.ts";
import { globProcessor } from "./glob-processor.ts";
import { grepProcessor } from "./grep-processor.ts";
import { listProcessor } from "./list-processor.ts";
import { readProcessor } from "./read-processor.ts";
import { todoProcessor } from "./todo-processor.ts";
import type { ToolProcessor } from "./tool-processor.ts";
import { writeProcessor } from "./write-processor.ts";

/** One module per kind of tool; a new one is a line here. */
export const shippedToolProcessors: readonly ToolProcessor[] = [
  readProcessor,
  writeProcessor,
  editProcessor,
  bashProcessor,
  globProcessor,
  grepProcessor,
  listProcessor,
  todoProcessor,
];
