import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from './button.tsx'

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

type ConfirmDialogProps = {
  /** A question: "Remove this passkey?" */
  title: string
  /** The consequences. */
  children: ReactNode
  /** The verb of the question: "Remove". */
  action: string
  /** Label of the other button. */
  keep?: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an action that can't be undone. */
export function ConfirmDialog({ title, children, action, keep = 'Keep it', onConfirm, onClose }: ConfirmDialogProps) {
  const handleConfirm = () => {
    onClose()
    onConfirm()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-2 text-muted">{children}</div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant="danger" onClick={handleConfirm}>
          {action}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {keep}
        </Button>
      </div>
    </Dialog>
  )
}

type ConfirmButtonProps = Omit<ComponentProps<typeof Button>, 'title' | 'onClick'> &
  Omit<ComponentProps<typeof ConfirmDialog>, 'onClose'> & {
    /** What is on the button. The children say the consequences, in the dialog. */
    label: ReactNode
  }

/** A button that asks before it acts. */
export function ConfirmButton({ label, title, action, keep, onConfirm, children, ...button }: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <ConfirmDialog title={title} action={action} keep={keep} onConfirm={onConfirm} onClose={() => setAsking(false)}>
          {children}
        </ConfirmDialog>
      )}
    </>
  )
}
