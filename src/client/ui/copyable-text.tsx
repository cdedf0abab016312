import { CopyButton } from './copy-button.tsx'

/** An id or a code with a copy button. */
export function CopyableText({ text, what }: { text: string; what: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-1 gap-y-1">
      <code className="font-mono text-sm [overflow-wrap:anywhere]">{text}</code>
      <span className="-ml-3 sm:ml-0">
        <CopyButton text={text} what={what} variant="quiet" />
      </span>
    </span>
  )
}
