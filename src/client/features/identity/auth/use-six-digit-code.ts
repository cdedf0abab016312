import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'

const codeLength = 6

const wrongEmailCode = 'That code is wrong or has expired. Use the code in the latest email, or resend it.'
const wrongAppCode = 'That code is wrong. Wait for the next one, and make sure your phone’s clock is correct.'
const wrongTextCode = 'That code is wrong or has expired. Use the code in the latest text message, or resend it.'
const factorErrors: readonly unknown[] = ['mfa_verification_failed', 'mfa_challenge_expired', 'mfa_ip_address_mismatch']

/** Where a two-step code comes from; decides the error message. */
export type CodeSource = 'app' | 'text'

function codeErrorMessage(error: unknown, source: CodeSource): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  if (factorErrors.includes(code)) return source === 'app' ? wrongAppCode : wrongTextCode
  return code === 'otp_expired' ? wrongEmailCode : formErrorMessage(error as Error)
}

/**
 * State of a six-digit code field that submits once it is complete. A wrong code clears the field and shows an error.
 * @param onCode rejects if the code is wrong
 */
export function useSixDigitCode(onCode: (code: string) => Promise<unknown>, source: CodeSource = 'app') {
  const [code, setCode] = useState('')
  const [pending, setPending] = useState(false)
  const [message, setMessage] = useState<string | undefined>()

  const submit = async (digits: string) => {
    if (pending) return
    if (digits.length < codeLength) return setMessage('Enter all six digits.')
    setPending(true)
    setMessage(undefined)
    try {
      await onCode(digits)
    } catch (error) {
      setCode('')
      setMessage(codeErrorMessage(error, source))
    } finally {
      setPending(false)
    }
  }

  return {
    pending,
    handleSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      void submit(code)
    },
    field: {
      value: code,
      error: message,
      readOnly: pending,
      onComplete: submit,
      onChange: (digits: string) => {
        setCode(digits)
        if (digits) setMessage(undefined)
      },
    },
  }
}
