import { RefreshCw } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import type { ItemMark } from '#shared/contracts/reader/item-marks.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { useDismissChange } from './freshness.api.ts'

type ChangeNoticeProps = {
  item: ItemRef & { title: string }
  change: NonNullable<ItemMark['changed']>
  /** True if the reader saved it; otherwise they copied or downloaded it. */
  saved: boolean
}

/** Shows what changed since the reader kept the item, until they dismiss it. */
export function ChangeNotice({ item, change, saved }: ChangeNoticeProps) {
  const dismiss = useDismissChange()
  const kept = saved ? 'saved' : item.kind === 'guide' || item.kind === 'tool' ? 'downloaded' : 'copied'
  return (
    <p className="my-2 flex measure flex-wrap items-center gap-x-3 border-l-3 border-accent bg-accent-soft px-[12px] py-1 text-sm print:hidden">
      <RefreshCw aria-hidden className="size-4 shrink-0 text-accent-ink" strokeWidth={1.75} />
      <span className="min-w-0 grow basis-44 py-1">
        <span className="font-semibold">Changed since you {kept} it</span>
        {change.note ? `: ${change.note}` : '.'}
      </span>
      <Button variant="quiet" size="sm" className="-mr-2" onClick={() => void dismiss(item, change.version)}>
        Got it
        <span className="sr-only">: {item.title}</span>
      </Button>
    </p>
  )
}
