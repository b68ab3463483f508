import type { ToolDetails } from "@skein/contracts";

export type DetailsData<Type extends ToolDetails["type"]> = Extract<ToolDetails, { type: Type }>["data"];
