/** Text as it was written, with its own line ends. */
export function PlainText({ text }: { text: string }) {
  return <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>;
}
