import { type SubmitEvent, useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { useJoinTeam } from './teams.api.ts'

type CodeFormProps = { email: string; onJoined: (answer: { ownPlan: boolean }) => void }

/** Joins with the code from the invitation email, for users who read it on another device. */
export function TeamCodeForm({ email, onJoined }: CodeFormProps) {
  const join = useJoinTeam()
  const [code, setCode] = useState('')
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!join.isPending) join.mutate({ email, code }, { onSuccess: onJoined })
  }
  return (
    <form onSubmit={handleSubmit} className="grid gap-5">
      <TextField
        label="Code from the invitation"
        hint="Eight letters and digits, for example 7KQ2-M0XD."
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={16}
        required
        className="font-mono text-xl! tracking-widest uppercase"
        value={code}
        onChange={(event) => {
          setCode(event.target.value)
          if (join.error) join.reset()
        }}
      />
      <FormError>{join.error ? errorMessage(join.error) : null}</FormError>
      <Button type="submit" pending={join.isPending} block>
        Join the team
      </Button>
    </form>
  )
}
