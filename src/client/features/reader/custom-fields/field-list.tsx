import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { CheckField, SelectField, TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { RetireButton } from '#client/ui/retire-button.tsx'
import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { adminCustomFieldUseCall, type StoredCustomField } from '#shared/contracts/reader/custom-fields.ts'
import {
  type CustomFieldKind,
  type CustomFieldPlace,
  customFieldKinds,
  customFieldPlaces,
  hasOptions,
  maxFieldHelpLength,
  maxFieldLabelLength,
  maxOptions,
} from '#shared/domain/custom-fields.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { mergeFieldOf } from '#shared/domain/merge-fields.ts'
import { isConflict, storedFieldsQuery, useOrderFields, useRetireField, useSaveField } from './admin-fields.api.ts'
import { membersText } from './count-text.ts'
import { FieldOptions, type WrittenOption } from './field-options.tsx'

/** The publisher's fields in the order in which members are asked. */
export function FieldList() {
  const fields = useQuery(storedFieldsQuery)
  /** The id of the field that is edited; 0 for a new one. */
  const [editing, setEditing] = useState<number | null>(null)
  const order = useOrderFields()
  if (!fields.data) return <QueryPlaceholder query={fields} what="the fields" lines={4} height="h-20" />
  const inUse = fields.data.items.filter(({ retired }) => !retired)
  const retired = fields.data.items.filter((field) => field.retired)
  const form = (field: StoredCustomField | null) => (
    <FieldForm
      key={field?.version}
      field={field}
      onReload={() => void fields.refetch()}
      onClose={() => setEditing(null)}
    />
  )
  const move = (at: number, by: 1 | -1) => {
    const ids = inUse.map(({ id }) => id)
    ids.splice(at + by, 0, ...ids.splice(at, 1))
    order.mutate(ids)
  }
  return (
    <>
      <Section
        title="Your fields"
        lede="What you want to know about members. Filter by these fields, import and export them, and use them in emails."
      >
        {editing === null && <Button onClick={() => setEditing(0)}>Create field</Button>}
        {editing === 0 && form(null)}
        {inUse.length > 0 && (
          <ul aria-label="Fields" className="mt-8 border-t-2 border-ink">
            {inUse.map((field, at) => (
              <li key={field.id} className="border-b border-line py-5 last:border-b-0 last:pb-0">
                {editing === field.id ? (
                  form(field)
                ) : (
                  <FieldRow field={field}>
                    <MoveButtons
                      label={(direction) => `Move ${field.label} ${direction}`}
                      isFirst={at === 0}
                      isLast={at === inUse.length - 1}
                      disabled={order.isPending}
                      onMove={(by) => move(at, by)}
                    />
                    <Button
                      variant="secondary"
                      size="sm"
                      aria-label={`Edit ${field.label}`}
                      onClick={() => setEditing(field.id)}
                    >
                      Edit
                    </Button>
                    <RetireField field={field} />
                  </FieldRow>
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
      {retired.length > 0 && (
        <Section title="Retired" lede="No longer asked. Their values stay with the members.">
          <ul aria-label="Retired fields" className="border-t-2 border-ink">
            {retired.map((field) => (
              <li key={field.id} className="border-b border-line py-5 last:border-b-0 last:pb-0">
                <FieldRow field={field}>
                  <RetireField field={field} />
                </FieldRow>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function FieldRow({ field, children }: { field: StoredCustomField; children: React.ReactNode }) {
  const { label, key, kind, options, asked, required, help, retiredAt } = field
  const offered = options.filter((option) => !option.retired).map((option) => option.label)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
      <div className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-semibold">{label}</span>
          {retiredAt && <Tag>Retired {formatDay(retiredAt)}</Tag>}
          {required && <Tag>Required</Tag>}
        </p>
        <p className="mt-1">
          {customFieldKinds[kind]}
          {offered.length > 0 && `: ${offered.join(', ')}`}
        </p>
        <p className="text-sm text-muted">
          {[customFieldPlaces[asked], help].filter(Boolean).join(' · ')}
          {' · In emails: '}
          <code>{`{{${mergeFieldOf(key)}}}`}</code>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  )
}

function RetireField({ field }: { field: StoredCustomField }) {
  const retire = useRetireField(field)
  return (
    <RetireButton
      name={field.label}
      isRetired={field.retired}
      retire={retire}
      action="Retire field"
      restore="Put back in use"
    >
      Members aren’t asked anymore. Their answers stay, views that filter by it keep working, and you can put it back in
      use.
    </RetireButton>
  )
}

const useFieldUse = (id: number, enabled: boolean) =>
  useQuery(alwaysStaleQuery(['admin-custom-field-use', id], adminCustomFieldUseCall, { id }, { enabled }))

type FieldFormProps = {
  /** Null for a new field. */
  field: StoredCustomField | null
  onReload: () => void
  onClose: () => void
}

function FieldForm({ field, onReload, onClose }: FieldFormProps) {
  const save = useSaveField()
  const [kind, setKind] = useState<CustomFieldKind>(field?.kind ?? 'text')
  const [asked, setAsked] = useState<CustomFieldPlace>(field?.asked ?? 'account')
  const [options, setOptions] = useState<readonly WrittenOption[]>(
    field?.options.filter(({ retired }) => !retired) ?? [{ key: null, label: '' }],
  )
  const isRemoving = field?.options.some(({ key }) => options.every((option) => option.key !== key)) ?? false
  const use = useFieldUse(field?.id ?? 0, isRemoving)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const form = new FormData(event.currentTarget)
    const { id, version } = field ?? { id: null, version: 0 }
    save.mutate(
      {
        id,
        version,
        label: String(form.get('label')).trim(),
        help: String(form.get('help')).trim(),
        kind,
        asked,
        required: form.get('required') === 'on',
        options: hasOptions(kind)
          ? options.map(({ key, label }) => ({ key, label: label.trim() })).filter(({ label }) => label !== '')
          : [],
      },
      { onSuccess: onClose },
    )
  }
  return (
    <form
      onSubmit={handleSubmit}
      aria-label={field ? `Edit ${field.label}` : 'Create field'}
      className="grid max-w-3xl gap-5"
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Name"
          name="label"
          required
          maxLength={maxFieldLabelLength}
          autoComplete="off"
          defaultValue={field?.label}
          hint="Members see it as the question."
        />
        <SelectField
          label="Type"
          hint={field ? 'The type of a field stays as it is.' : undefined}
          value={kind}
          disabled={field !== null}
          onChange={(event) => setKind(event.target.value as CustomFieldKind)}
          options={customFieldKinds}
        />
        <TextField
          label="Help line"
          name="help"
          maxLength={maxFieldHelpLength}
          autoComplete="off"
          defaultValue={field?.help}
          hint="Optional, below the input."
        />
        <SelectField
          label="Asked"
          value={asked}
          onChange={(event) => setAsked(event.target.value as CustomFieldPlace)}
          options={customFieldPlaces}
        />
      </div>
      {asked !== 'never' && (
        <CheckField label="An answer is required" name="required" defaultChecked={field?.required} />
      )}
      {hasOptions(kind) && (
        <FieldOptions
          known={field?.options ?? []}
          options={options}
          onChange={setOptions}
          max={maxOptions}
          maxLabelLength={maxFieldLabelLength}
          usedBy={(key) => use.data && membersText(use.data.options[key] ?? 0)}
          retiredNote="Retired options are no longer offered. Members who chose one keep it, and filters still find them."
        />
      )}
      <FormError>{formErrorMessage(save.error)}</FormError>
      <FormActions action={field ? 'Save field' : 'Create field'} pending={save.isPending} onCancel={onClose}>
        {isConflict(save.error) && (
          <Button variant="secondary" onClick={onReload}>
            Show the newer version
          </Button>
        )}
      </FormActions>
    </form>
  )
}
