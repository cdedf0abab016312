import { ConciergeBell } from 'lucide-react'

/** The publication's bell icon and name, as shown in every header. */
export function Wordmark({ name }: { name: string }) {
  return (
    <span className="display inline-flex items-center gap-2 text-xl text-ink">
      <ConciergeBell aria-hidden className="size-6 shrink-0 text-primary" strokeWidth={1.75} />
      <span data-name="">{name}</span>
    </span>
  )
}
