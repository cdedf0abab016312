import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { submitHandler } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { type AnsweredField, type FieldAnswers, saveCustomFieldsCall } from '#shared/contracts/reader/custom-fields.ts'
import { FieldInput, readFieldForm } from './field-input.tsx'
import { ownFieldsQuery } from './own-fields.api.ts'

function useSaveOwnFields() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (answers: FieldAnswers) => invoke(saveCustomFieldsCall, { answers }),
    onSuccess: (saved) => queryClient.setQueryData(ownFieldsQuery('account').queryKey, saved),
  })
}

type OwnFieldsFormProps = {
  items: readonly AnsweredField[]
  action: string
  onSaved: () => void
  /** Buttons after the first. */
  children?: ReactNode
}

/** The publisher's questions to the signed-in member. */
export function OwnFieldsForm({ items, action, onSaved, children }: OwnFieldsFormProps) {
  const save = useSaveOwnFields()
  const handleSubmit = submitHandler(save, (_text, form) =>
    save.mutate(readFieldForm(form, items), { onSuccess: onSaved }),
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
