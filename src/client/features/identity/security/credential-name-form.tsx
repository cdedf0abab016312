import { type SubmitEvent, useId } from 'react'
import { FormActions, FormError, TextField } from '#client/ui/form.tsx'

type NameFormProps = {
  title?: string
  hint?: string
  suggestion: string
  action: string
  pending: boolean
  error?: string | null
  onName: (name: string) => void
  onClose: () => void
}

export function NameForm({ title, hint, suggestion, action, pending, error, onName, onClose }: NameFormProps) {
  const id = useId()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    if (!pending && name) onName(name)
  }
  return (
    <form onSubmit={handleSubmit} className="grid max-w-md gap-5" aria-labelledby={title ? id : undefined}>
      {title && (
        <h4 id={id} className="font-semibold">
          {title}
        </h4>
      )}
      <TextField
        label="Name"
        name="name"
        hint={hint}
        defaultValue={suggestion}
        maxLength={60}
        required
        autoFocus
        autoComplete="off"
        onFocus={(event) => event.target.select()}
      />
      <FormError>{error}</FormError>
      <FormActions action={action} pending={pending} onCancel={onClose} />
    </form>
  )
}
