import { useState } from 'react'
import { problemOf } from '#client/lib/problem-of.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { CodeForm } from '../code-form.tsx'
import { ResendButton } from '../resend-button.tsx'
import { intervalSeconds, waitSeconds } from '../wait-seconds.ts'
import { proveByPhone, useSendTextMessage } from './second-step-proofs.api.ts'

type PhoneStepProps = { factorId: string; onPassed: () => void }

/** A message costs money and is sent when asked for; then its six digits. */
export function PhoneStep({ factorId, onPassed }: PhoneStepProps) {
  const send = useSendTextMessage(factorId)
  const [challengeId, setChallengeId] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const sendAgain = async () => setChallengeId(await send.mutateAsync())
  const handleFirst = async () => {
    setProblem(null)
    try {
      await sendAgain()
    } catch (error) {
      const seconds = waitSeconds(error)
      setProblem(
        seconds === null
          ? problemOf(error)
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
        onCode={(code) => proveByPhone(factorId, challengeId, code).then(onPassed)}
      />
      <ResendButton label="Send another" waitFirst={intervalSeconds} onSend={sendAgain} />
    </div>
  )
}
