import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'

const codeLength = 6

const ofMail = 'That code is wrong or no longer valid. Look for the newest mail, or send another.'
const ofApp = 'That code is not right. Wait for the next one, and check that the phone’s clock is right.'
const ofText = 'That code is wrong or too old. Look for the newest message, or send another.'
const words: Readonly<Record<string, string>> = {
  otp_expired: ofMail,
}
const ofFactors: readonly unknown[] = ['mfa_verification_failed', 'mfa_challenge_expired', 'mfa_ip_address_mismatch']

/** Where the six digits of a second step come from: whoever typed wrong ones looks there. */
export type CodeSource = 'app' | 'text'

function codeProblem(error: unknown, source: CodeSource): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  if (ofFactors.includes(code)) return source === 'app' ? ofApp : ofText
  return typeof code === 'string' && Object.hasOwn(words, code) ? words[code] : formErrorMessage(error as Error)
}

/**
 * Six digits, sent by themselves once they are complete; a wrong code leaves an empty field and the reason.
 * @param onCode rejects when the code is not right
 */
export function useCodeEntry(onCode: (code: string) => Promise<unknown>, source: CodeSource = 'app') {
  const [code, setCode] = useState('')
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()

  const give = async (digits: string) => {
    if (pending) return
    if (digits.length < codeLength) return setProblem('The code has six digits.')
    setPending(true)
    setProblem(undefined)
    try {
      await onCode(digits)
    } catch (error) {
      setCode('')
      setProblem(codeProblem(error, source))
    } finally {
      setPending(false)
    }
  }

  return {
    pending,
    handleSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      void give(code)
    },
    /** For the code field. */
    field: {
      value: code,
      error: problem,
      readOnly: pending,
      onComplete: give,
      onChange: (digits: string) => {
        setCode(digits)
        if (digits) setProblem(undefined)
      },
    },
  }
}
