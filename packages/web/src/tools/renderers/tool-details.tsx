import type { ToolDetails } from "@skein/contracts";
import { PlanDetails, QuestionDetails, SubagentDetails, TodoDetails } from "./agent-details.tsx";
import { ChangedFiles, DiffDetails } from "./diff-details.tsx";
import { CommandDetails, FileContentDetails, FileListDetails, SearchDetails } from "./file-details.tsx";
import { ImageDetails, WebDetails } from "./web-details.tsx";

/** Every type of details has its renderer: a new one does not compile without. */
export function ToolDetailsView({ id, details }: { id: string; details: ToolDetails }) {
  switch (details.type) {
    case "diff":
      return <DiffDetails data={details.data} id={id} />;
    case "fileList":
      return <FileListDetails data={details.data} id={id} />;
    case "commandOutput":
      return (
        <>
          <CommandDetails data={details.data} id={id} />
          <ChangedFiles files={details.data.changedFiles ?? []} id={`${id}:changed`} />
        </>
      );
    case "searchResults":
      return <SearchDetails data={details.data} id={id} />;
    case "todoList":
      return <TodoDetails data={details.data} id={id} />;
    case "fileContent":
      return <FileContentDetails data={details.data} id={id} />;
    case "webResult":
      return <WebDetails data={details.data} id={id} />;
    case "image":
      return <ImageDetails data={details.data} />;
    case "subagent":
      return <SubagentDetails data={details.data} id={id} />;
    case "plan":
      return <PlanDetails data={details.data} id={id} />;
    case "question":
      return <QuestionDetails data={details.data} id={id} />;
    default:
      return details satisfies never;
  }
}
