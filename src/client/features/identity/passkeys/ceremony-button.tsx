import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { ceremonyErrorMessage } from './ceremony-error.ts'

type CeremonyButtonProps = {
  label: string
  hint?: string
  variant?: 'primary' | 'secondary'
  autoFocus?: boolean
  /** May reject with any error that `ceremonyErrorMessage` takes. */
  ceremony: () => Promise<unknown>
  onDone: () => void
}

/** Starts a WebAuthn ceremony, for which browsers require a click. */
export function CeremonyButton({ label, hint, variant, autoFocus, ceremony, onDone }: CeremonyButtonProps) {
  const [pending, setPending] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const handleClick = async () => {
    setPending(true)
    setMessage(null)
    try {
      await ceremony()
    } catch (error) {
      setMessage(ceremonyErrorMessage(error))
      return
    } finally {
      setPending(false)
    }
    onDone()
  }
  return (
    <div className="grid gap-3">
      <Button variant={variant} block autoFocus={autoFocus} pending={pending} onClick={handleClick}>
        <KeyRound aria-hidden className="size-4.5" strokeWidth={1.75} />
        {label}
      </Button>
      {hint && <p className="text-sm text-muted">{hint}</p>}
      <InlineError>{message}</InlineError>
    </div>
  )
}
