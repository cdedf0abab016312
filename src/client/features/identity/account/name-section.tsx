import type { User } from '@supabase/auth-js'
import type { SubmitEvent } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Section } from '#client/ui/section.tsx'
import { useChangeName } from './account.api.ts'

export function NameSection({ user }: { user: User }) {
  const change = useChangeName()
  const name: unknown = user.user_metadata.full_name
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending) return
    const wanted = String(new FormData(event.currentTarget).get('name')).trim()
    change.mutate(wanted, { onSuccess: () => toast.success('Your name was saved', { id: 'name' }) })
  }
  return (
    <Section title="Name" lede="Optional. Your emails greet you by name. Only you and our staff see it.">
      <form onSubmit={handleSubmit} className="grid max-w-md gap-4">
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={100}
          defaultValue={typeof name === 'string' ? name : ''}
        />
        <FormError>{formErrorMessage(change.error)}</FormError>
        <div>
          <Button type="submit" variant="secondary" pending={change.isPending}>
            Save name
          </Button>
        </div>
      </form>
    </Section>
  )
}
