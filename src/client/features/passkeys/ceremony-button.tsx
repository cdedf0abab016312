import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { ceremonyErrorMessage } from './ceremony-error.ts'

type CeremonyButtonProps = {
  label: string
  hint?: string
  variant?: 'primary' | 'secondary'
  autoFocus?: boolean
  /** Rejects like the ceremony does; see `ceremonyErrorMessage`. */
  ceremony: () => Promise<unknown>
  onDone: () => void
}

/** The browser asks for the key or the fingerprint by itself; it wants a click of the person first. */
export function CeremonyButton({ label, hint, variant, autoFocus, ceremony, onDone }: CeremonyButtonProps) {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const handleClick = async () => {
    setPending(true)
    setProblem(null)
    try {
      await ceremony()
    } catch (error) {
      setProblem(ceremonyErrorMessage(error))
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
      <InlineError>{problem}</InlineError>
    </div>
  )
}
