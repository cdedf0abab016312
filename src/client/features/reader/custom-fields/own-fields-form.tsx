import type { ReactNode } from 'react'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { type AnsweredField, saveCustomFieldsCall } from '#shared/contracts/reader/custom-fields.ts'
import { FieldInput, readFieldForm } from './field-input.tsx'
import { ownFieldsQuery } from './own-fields.api.ts'

type OwnFieldsFormProps = {
  items: readonly AnsweredField[]
  action: string
  onSaved: () => void
  /** Buttons after the first. */
  children?: ReactNode
}

/** The publisher's questions to the signed-in member. */
export function OwnFieldsForm({ items, action, onSaved, children }: OwnFieldsFormProps) {
  const save = useChange(saveCustomFieldsCall, { stores: ownFieldsQuery('account') })
  const handleSubmit = submitHandler(save, (_text, form) =>
    save.mutate({ answers: readFieldForm(form, items) }, { onSuccess: onSaved }),
  )
  return (
    <form onSubmit={handleSubmit} className="grid max-w-xl gap-6">
      {items.map((field) => (
        <FieldInput key={field.id} field={field} />
      ))}
      <FormError>{formErrorMessage(save.error)}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={save.isPending}>
          {action}
        </Button>
        {children}
      </div>
    </form>
  )
}
