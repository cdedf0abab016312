import { useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { ResendButton } from '../resend-button.tsx'
import { resendDelaySeconds, resendIntervalSeconds } from '../resend-delay.ts'
import { CodeForm } from '../six-digit-code-form.tsx'
import { useSendTextMessage, verifyTextMessage } from './verify-factor.api.ts'

type PhoneStepProps = { factorId: string; onPassed: () => void }

/** Sends the text message on a click, because each one costs money. */
export function PhoneChallenge({ factorId, onPassed }: PhoneStepProps) {
  const send = useSendTextMessage(factorId)
  const [challengeId, setChallengeId] = useState<string | null>(null)
  const [message, setMessage] = useState<string | null>(null)

  const sendAgain = async () => setChallengeId(await send.mutateAsync())
  const handleSend = async () => {
    setMessage(null)
    try {
      await sendAgain()
    } catch (error) {
      const seconds = resendDelaySeconds(error)
      setMessage(
        seconds === null
          ? errorMessage(error)
          : `We just sent you a message. You can request another in ${seconds} seconds.`,
      )
    }
  }

  if (challengeId === null) {
    return (
      <div className="grid gap-3">
        <Button block pending={send.isPending} onClick={handleSend}>
          Send code
        </Button>
        <InlineError>{message}</InlineError>
      </div>
    )
  }
  return (
    <div className="grid gap-5">
      <CodeForm
        label="Code from the text message"
        action="Continue"
        source="text"
        onCode={(code) => verifyTextMessage(factorId, challengeId, code).then(onPassed)}
      />
      <ResendButton label="Resend code" waitFirst={resendIntervalSeconds} onSend={sendAgain} />
    </div>
  )
}
