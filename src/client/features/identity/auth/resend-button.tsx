import { useEffect, useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { announce } from '#client/ui/announce.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { resendDelaySeconds, resendIntervalSeconds } from './resend-delay.ts'

type ResendButtonProps = {
  /** For example "Resend email". */
  label: string
  /** Seconds to wait if something was just sent. */
  waitFirst: number
  variant?: 'secondary' | 'quiet'
  onSend: () => Promise<unknown>
}

/** Resends at most once a minute, counting down until then. */
export function ResendButton({ label, waitFirst, variant = 'secondary', onSend }: ResendButtonProps) {
  const [readyAt, setReadyAt] = useState(() => Date.now() + waitFirst * 1000)
  const [now, setNow] = useState(Date.now)
  const [pending, setPending] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const left = Math.max(0, Math.ceil((readyAt - now) / 1000))
  const waiting = left > 0

  useEffect(() => {
    if (!waiting) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [waiting])

  const wait = (seconds: number) => {
    setNow(Date.now())
    setReadyAt(Date.now() + seconds * 1000)
  }

  const handleSend = async () => {
    if (pending || waiting) return
    setPending(true)
    setMessage(null)
    try {
      await onSend()
      wait(resendIntervalSeconds)
      announce('Sent')
    } catch (error) {
      const seconds = resendDelaySeconds(error)
      if (seconds === null) setMessage(errorMessage(error))
      else wait(seconds)
    } finally {
      setPending(false)
    }
  }

  return (
    <div className="grid justify-items-start gap-1">
      <Button variant={variant} size="sm" pending={pending} disabled={waiting} onClick={handleSend}>
        <span className="tabular-nums">{waiting ? `${label} in ${left} s` : label}</span>
      </Button>
      <InlineError>{message}</InlineError>
    </div>
  )
}
