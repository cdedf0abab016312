import { clsx } from 'clsx'
import { Bookmark } from 'lucide-react'
import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { useSaveItem } from './saved.api.ts'

const longPressMs = 500
/** A finger that moves further is scrolling. */
const maxMovePx = 10

/** Handlers for a control that does something else when it is held. `wasLong` tells its click to do nothing. */
function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const start = useRef({ x: 0, y: 0 })
  const isLong = useRef(false)
  const cancel = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    wasLong: () => {
      const was = isLong.current
      isLong.current = false
      return was
    },
    onPointerDown: ({ button, clientX, clientY }: PointerEvent) => {
      if (button !== 0) return
      start.current = { x: clientX, y: clientY }
      isLong.current = false
      cancel()
      timer.current = setTimeout(() => {
        isLong.current = true
        onLongPress()
      }, longPressMs)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > maxMovePx) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onPointerLeave: cancel,
    // Holding a finger on it must not open the browser's menu on top.
    onContextMenu: (event: MouseEvent) => {
      if (isLong.current) event.preventDefault()
    },
  }
}

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
