import { useState } from "react";
import { readStored, writeStored } from "../preferences/stored-value.ts";
import { formatSort, parseSort, type Sort } from "./task-sort.ts";

export type BoardView = "board" | "list";

const viewKey = "skein.board-view";
const sortKey = "skein.list-sort";

/** Board or list, as last chosen. */
export function useBoardView(): { view: BoardView; setView(view: BoardView): void; sort: Sort; setSort(sort: Sort): void } {
  const [view, setView] = useState<BoardView>(() => (readStored(viewKey) === "list" ? "list" : "board"));
  const [sort, setSort] = useState<Sort>(() => parseSort(readStored(sortKey)));
  return {
    view,
    sort,
    setView(next) {
      writeStored(viewKey, next);
      setView(next);
    },
    setSort(next) {
      writeStored(sortKey, formatSort(next));
      setSort(next);
    },
  };
}
