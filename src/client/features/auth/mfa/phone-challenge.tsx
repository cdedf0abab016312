import { useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { CodeForm } from '../code-form.tsx'
import { ResendButton } from '../resend-button.tsx'
import { resendDelaySeconds, resendIntervalSeconds } from '../resend-delay.ts'
import { useSendTextMessage, verifyTextMessage } from './verify-factor.api.ts'

type PhoneStepProps = { factorId: string; onPassed: () => void }

/** A message costs money and is sent when asked for; then its six digits. */
export function PhoneChallenge({ factorId, onPassed }: PhoneStepProps) {
  const send = useSendTextMessage(factorId)
  const [challengeId, setChallengeId] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const sendAgain = async () => setChallengeId(await send.mutateAsync())
  const handleFirst = async () => {
    setProblem(null)
    try {
      await sendAgain()
    } catch (error) {
      const seconds = resendDelaySeconds(error)
      setProblem(
        seconds === null
          ? errorMessage(error)
          : `A message was sent a moment ago. You can ask again in ${seconds} seconds.`,
      )
    }
  }

  if (challengeId === null) {
    return (
      <div className="grid gap-3">
        <Button block pending={send.isPending} onClick={handleFirst}>
          Send the message
        </Button>
        <InlineError>{problem}</InlineError>
      </div>
    )
  }
  return (
    <div className="grid gap-5">
      <CodeForm
        label="Code from the message"
        action="Continue"
        source="text"
        onCode={(code) => verifyTextMessage(factorId, challengeId, code).then(onPassed)}
      />
      <ResendButton label="Send another" waitFirst={resendIntervalSeconds} onSend={sendAgain} />
    </div>
  )
}
