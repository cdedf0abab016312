import { clsx } from 'clsx'
import { Bookmark } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { useLongPress } from './use-long-press.ts'
import { useSaveItem } from './use-save-item.ts'

type SaveButtonProps = {
  item: ItemRef & { title: string }
  saved: boolean
  savedAt: string | null
  /** If true, only the icon is visible. */
  compact?: boolean
  onChange?: (saved: boolean) => void
  onLongPress: () => void
  className?: string
}

/** Saves an item at once and removes it on the next tap. A long press chooses its collections. */
export function SaveButton({
  item,
  saved,
  savedAt,
  compact = false,
  onChange,
  onLongPress,
  className,
}: SaveButtonProps) {
  const save = useSaveItem(item, savedAt)
  const { wasLong, ...press } = useLongPress(onLongPress)
  const handleClick = (event: MouseEvent) => {
    if (wasLong()) return event.preventDefault()
    save(!saved)
    onChange?.(!saved)
  }
  const word = saved ? 'Saved' : 'Save'
  return (
    <button
      type="button"
      aria-pressed={saved}
      title={compact ? word : undefined}
      onClick={handleClick}
      {...press}
      className={clsx(
        'inline-flex min-h-11 shrink-0 touch-manipulation items-center justify-center gap-1.5 rounded-md text-sm transition-colors select-none hover:bg-sunken hover:text-ink print:hidden',
        saved ? 'font-semibold text-ink' : 'text-muted',
        compact ? 'size-[44px]' : 'min-w-22 px-2.5',
        className,
      )}
    >
      <Bookmark
        aria-hidden
        className={clsx('size-4.5 shrink-0', saved && 'fill-accent text-accent-ink')}
        strokeWidth={1.75}
      />
      <span className={compact ? 'sr-only' : undefined}>{word}</span>
      <span className="sr-only"> {item.title}</span>
    </button>
  )
}
