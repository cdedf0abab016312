import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { FormActions } from '#client/ui/form.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import {
  type AnsweredField,
  adminMemberFieldsCall,
  adminSetMemberFieldsCall,
} from '#shared/contracts/reader/custom-fields.ts'
import { fieldValueText, optionText } from '#shared/domain/custom-fields.ts'
import { FieldInput, readFieldForm } from './field-input.tsx'

const memberFieldsQuery = (userId: string) =>
  alwaysStaleQuery(['admin-member-fields', userId], adminMemberFieldsCall, { userId })

/** A member's values of the publisher's fields, which staff can set. Nothing if there are no fields. */
export function MemberFields({ userId }: { userId: string }) {
  const { data } = useQuery(memberFieldsQuery(userId))
  const save = useChange(adminSetMemberFieldsCall, { stores: memberFieldsQuery(userId) })
  const [isEditing, setIsEditing] = useState(false)
  const items = data?.items ?? []
  if (items.length === 0) return null
  const editable = items.filter(({ retired }) => !retired)
  const handleSubmit = submitHandler(save, (_text, form) => {
    const answers = readFieldForm(form, editable)
    // Fields that weren't touched keep what the member may have answered meanwhile.
    const changed = answers.filter(({ id, value }) => !isSame(value, items.find((item) => item.id === id)?.value))
    save.mutate({ userId, answers: changed }, { onSuccess: () => setIsEditing(false) })
  })
  return (
    <Section title="Fields" lede="What you ask members. Change them under Settings, Fields.">
      {isEditing ? (
        <form onSubmit={handleSubmit} aria-label="Edit fields" className="grid max-w-xl gap-6">
          {editable.map((field) => (
            <FieldInput key={field.id} field={field} isForStaff />
          ))}
          <FormActions action="Save fields" change={save} onCancel={() => setIsEditing(false)} />
        </form>
      ) : (
        <>
          <PropertyList>
            {items.map((field) => (
              <Property key={field.id} name={field.retired ? `${field.label} (retired)` : field.label}>
                <span className="[overflow-wrap:anywhere]">{valueText(field) || 'Not answered'}</span>
              </Property>
            ))}
          </PropertyList>
          {editable.length > 0 && (
            <Button variant="secondary" className="mt-5" onClick={() => setIsEditing(true)}>
              Edit fields
            </Button>
          )}
        </>
      )}
    </Section>
  )
}

const valueText = (field: AnsweredField) =>
  fieldValueText(
    { ...field, options: field.options.map((option) => ({ ...option, label: optionText(option) })) },
    field.value,
  )

const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(Array.isArray(one) && one.length === 0 ? null : one) === JSON.stringify(other ?? null)
