import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { CheckField, FormActions, SelectField, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { RetirableList, RetirableRow } from '#client/ui/retirable-list.tsx'
import { RetireButton } from '#client/ui/retire-button.tsx'
import { Tag } from '#client/ui/tag.tsx'
import {
  adminCustomFieldUseCall,
  adminOrderCustomFieldsCall,
  adminRetireCustomFieldCall,
  adminSaveCustomFieldCall,
  type StoredCustomField,
} from '#shared/contracts/reader/custom-fields.ts'
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
import { formatDay } from '#shared/domain/format.ts'
import { mergeFieldOf } from '#shared/domain/merge-fields.ts'
import { isConflict, storedFieldsQuery } from './admin-fields.api.ts'
import { membersText } from './count-text.ts'
import { FieldOptions, type WrittenOption } from './field-options.tsx'

/** The publisher's fields in the order in which members are asked. */
export function FieldList() {
  const fields = useQuery(storedFieldsQuery)
  const order = useChange(adminOrderCustomFieldsCall, {
    stores: storedFieldsQuery,
    failure: 'We couldn’t change the order',
  })
  if (!fields.data) return <QueryPlaceholder query={fields} what="the fields" lines={4} height="h-20" />
  return (
    <RetirableList
      label="Fields"
      one="field"
      title="Your fields"
      lede="What you want to know about members. Filter by these fields, import and export them, and use them in emails."
      retiredLede="No longer asked. Their values stay with the members."
      items={fields.data.items}
      nameOf={({ label }) => label}
      canEdit
      order={{ isPending: order.isPending, mutate: (ids) => order.mutate({ ids }) }}
      form={(field, onClose) => (
        <FieldForm key={field?.version} field={field} onReload={() => void fields.refetch()} onClose={onClose} />
      )}
      row={(field, buttons) => <FieldRow field={field} buttons={buttons} />}
      retire={(field) => <RetireField field={field} />}
    />
  )
}

function FieldRow({ field, buttons }: { field: StoredCustomField; buttons: ReactNode }) {
  const { label, key, kind, options, asked, required, help, retiredAt } = field
  const offered = options.filter((option) => !option.retired).map((option) => option.label)
  return (
    <RetirableRow
      name={label}
      buttons={buttons}
      tags={
        <>
          {retiredAt && <Tag>Retired {formatDay(retiredAt)}</Tag>}
          {required && <Tag>Required</Tag>}
        </>
      }
    >
      <p className="mt-1">
        {customFieldKinds[kind]}
        {offered.length > 0 && `: ${offered.join(', ')}`}
      </p>
      <p className="text-sm text-muted">
        {[customFieldPlaces[asked], help].filter(Boolean).join(' · ')}
        {' · In emails: '}
        <code>{`{{${mergeFieldOf(key)}}}`}</code>
      </p>
    </RetirableRow>
  )
}

function RetireField({ field }: { field: StoredCustomField }) {
  const { id, version } = field
  const retire = useChange(adminRetireCustomFieldCall, {
    stores: storedFieldsQuery,
    failure: 'We couldn’t change the field',
  })
  return (
    <RetireButton
      name={field.label}
      isRetired={field.retired}
      retire={{ isPending: retire.isPending, mutate: (retired) => retire.mutate({ id, version, retired }) }}
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
  const save = useChange(adminSaveCustomFieldCall, { stores: storedFieldsQuery })
  const [kind, setKind] = useState<CustomFieldKind>(field?.kind ?? 'text')
  const [asked, setAsked] = useState<CustomFieldPlace>(field?.asked ?? 'account')
  const [options, setOptions] = useState<readonly WrittenOption[]>(
    field?.options.filter(({ retired }) => !retired) ?? [{ key: null, label: '' }],
  )
  const isRemoving = field?.options.some(({ key }) => options.every((option) => option.key !== key)) ?? false
  const use = useFieldUse(field?.id ?? 0, isRemoving)
  const handleSubmit = submitHandler(save, (text, form) => {
    const { id, version } = field ?? { id: null, version: 0 }
    save.mutate(
      {
        id,
        version,
        label: text('label'),
        help: text('help'),
        kind,
        asked,
        required: form.get('required') === 'on',
        options: hasOptions(kind)
          ? options.map(({ key, label }) => ({ key, label: label.trim() })).filter(({ label }) => label !== '')
          : [],
      },
      { onSuccess: onClose },
    )
  })
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
      <FormActions action={field ? 'Save field' : 'Create field'} change={save} onCancel={onClose}>
        {isConflict(save.error) && (
          <Button variant="secondary" onClick={onReload}>
            Show the newer version
          </Button>
        )}
      </FormActions>
    </form>
  )
}
