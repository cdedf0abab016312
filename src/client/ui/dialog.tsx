import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './button.tsx'

type DialogProps = {
  title: string
  /** For a table. */
  wide?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A native modal dialog that is open while it is rendered. It traps the focus, closes on Escape and restores the focus.
 * On a phone it is at the bottom of the screen.
 */
export function Dialog({ title, wide = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])

  /** A click on the backdrop has the dialog itself as its target. */
  const handleClick = (event: MouseEvent) => {
    if (event.target === ref.current) onClose()
  }
  /** Browsers close the dialog on a second Escape even if `cancel` was prevented. Ignores events of an earlier opening. */
  const handleClosed = () => {
    if (!ref.current?.open) onClose()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, and the browser raises `cancel` for it
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      // Some browsers make a box that scrolls a Tab stop.
      tabIndex={-1}
      onClick={handleClick}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={handleClosed}
      className={clsx(
        'm-auto w-full rounded-lg border border-line bg-surface p-0 text-ink shadow-float backdrop:bg-veil max-sm:mb-0 max-sm:max-w-full max-sm:rounded-b-none max-sm:border-x-0',
        wide ? 'max-w-5xl' : 'max-w-md',
      )}
    >
      <div className="relative p-5 sm:p-7">
        <h2 id={titleId} className="display mr-10 text-xl">
          {title}
        </h2>
        {children}
        {/* Last, so that the form gets the initial focus. */}
        <IconButton icon={X} label="Close" onClick={onClose} className="absolute! top-2.5 right-2.5" />
      </div>
    </dialog>
  )
}
