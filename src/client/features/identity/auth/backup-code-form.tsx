import { type SubmitEvent, useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/form.tsx'

type BackupCodeFormProps = {
  action: string
  /** Rejects if the code is wrong or already used. */
  onCode: (code: string) => Promise<unknown>
}

export function BackupCodeForm({ action, onCode }: BackupCodeFormProps) {
  const [pending, setPending] = useState(false)
  const [message, setMessage] = useState<string | undefined>()

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    const code = String(new FormData(event.currentTarget).get('backup-code')).trim()
    if (code.length < 8) return setMessage('That code is too short. Enter it exactly as shown.')
    setPending(true)
    setMessage(undefined)
    try {
      await onCode(code)
    } catch (error) {
      setMessage(errorMessage(error))
    } finally {
      setPending(false)
    }
  }

  return (
    <form onSubmit={handleSubmit} className="grid gap-5" noValidate>
      <TextField
        label="Backup code"
        name="backup-code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={32}
        autoFocus
        required
        className="min-h-14 font-mono text-xl!"
        hint="Each code on your list works once."
        error={message}
        onChange={() => setMessage(undefined)}
      />
      <Button type="submit" pending={pending} block>
        {action}
      </Button>
    </form>
  )
}
