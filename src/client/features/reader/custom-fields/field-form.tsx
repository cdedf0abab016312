import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { SelectField } from '#client/ui/select-field.tsx'
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
import { isConflict, useSaveField } from './admin-fields.api.ts'
import { membersText } from './count-text.ts'
import { FieldOptions, type WrittenOption } from './field-options.tsx'

const useFieldUse = (id: number, enabled: boolean) =>
  useQuery(alwaysStaleQuery(['admin-custom-field-use', id], adminCustomFieldUseCall, { id }, { enabled }))

type FieldFormProps = {
  /** Null for a new field. */
  field: StoredCustomField | null
  onReload: () => void
  onClose: () => void
}

export function FieldForm({ field, onReload, onClose }: FieldFormProps) {
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
        >
          {Object.entries(customFieldKinds).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Help line"
          name="help"
          maxLength={maxFieldHelpLength}
          autoComplete="off"
          defaultValue={field?.help}
          hint="Optional, below the input."
        />
        <SelectField label="Asked" value={asked} onChange={(event) => setAsked(event.target.value as CustomFieldPlace)}>
          {Object.entries(customFieldPlaces).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
      </div>
      {asked !== 'never' && (
        <label className="flex min-h-11 items-center gap-3">
          <input type="checkbox" name="required" defaultChecked={field?.required} className="size-5" />
          An answer is required
        </label>
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
