import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { storedFieldsQuery } from '#client/features/reader/custom-fields/admin-fields.api.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { FormError, OptionList, SelectField, TextField } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import type { ImportOptions, MemberImport } from '#shared/contracts/operations/member-import.ts'
import { adminSaveCustomFieldCall } from '#shared/contracts/reader/custom-fields.ts'
import { type CustomField, maxFieldLabelLength } from '#shared/domain/custom-fields.ts'
import {
  type CustomImportField,
  customImportField,
  type ImportField,
  type ImportMapping,
  type ImportSource,
  importFieldLabel,
  importFieldNames,
  importSourceNames,
  importSources,
  suggestImportMapping,
  unansweredColumns,
} from '#shared/domain/import-fields.ts'
import { useCancelImport, useCheckMembers } from './member-import.api.ts'

const inOneYear = () => new Date(Date.now() + 365 * 24 * 60 * 60_000).toISOString().slice(0, 10)

const encodings: Record<string, string> = {
  'utf-16le': 'The file is in UTF-16 and was converted.',
  'utf-16be': 'The file is in UTF-16 and was converted.',
  'windows-1252': 'The file isn’t in UTF-8, so it was read as Windows-1252. Check that names with accents look right.',
}

/** Fields for what each column means, and what the import may do. */
export function ImportColumns({ found, onChecking }: { found: MemberImport; onChecking: () => void }) {
  const check = useCheckMembers()
  const cancel = useCancelImport()
  const stored = useQuery(storedFieldsQuery)
  const fields = (stored.data?.items ?? []).filter(({ retired }) => !retired)
  const [source, setSource] = useState<ImportSource>(found.source)
  const [mapping, setMapping] = useState<ImportMapping>(found.mapping)
  const [hasAccess, setHasAccess] = useState(Boolean(found.options?.complimentaryUntil))
  const { options } = found
  const [leftOut, setLeftOut] = useState(options?.leftOut ?? [])
  const asked = unansweredColumns({ ...found, mapping }, leftOut)
  const [dateOrder, setDateOrder] = useState(options?.dateOrder)

  const handleSource = (next: ImportSource) => {
    setSource(next)
    setMapping(suggestImportMapping(found.header, next, fields, publication, found.samples))
  }
  const handleSubmit = submitHandler(check, (text, form) => {
    const tag = text('tag')
    const chosen: ImportOptions = {
      fillExisting: form.has('fillExisting'),
      unsubscribeExisting: form.has('unsubscribeExisting'),
      complimentaryUntil: hasAccess ? String(form.get('complimentaryUntil')) : null,
      vouchConfirmed: form.has('vouchConfirmed'),
      freeEdition: form.has('freeEdition'),
      invite: form.has('invite'),
      tag: tag || null,
      ...(dateOrder && { dateOrder }),
      leftOut,
    }
    check.mutate({ id: found.id, source, mapping, options: chosen }, { onSuccess: onChecking })
  })

  return (
    <form onSubmit={handleSubmit} className="mt-2 grid gap-8">
      {encodings[found.encoding] && <p className="text-muted">{encodings[found.encoding]}</p>}
      <SelectField
        label="The file comes from"
        fieldClassName="max-w-xs"
        value={source}
        onChange={(event) => handleSource(event.currentTarget.value as ImportSource)}
        options={importSources.map((name) => [name, importSourceNames[name]])}
      />
      <fieldset>
        <legend className="display text-xl">What each column means</legend>
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {found.header.map((column, index) => (
            <ColumnRow
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity, and names can repeat
              key={index}
              column={column || `Column ${index + 1}`}
              samples={found.samples.map((row) => row[index] ?? '').filter(Boolean)}
              field={fieldNames(fields).find((field) => mapping[field] === index) ?? null}
              fields={fields}
              isAsked={asked.includes(index)}
              onChange={(field) => {
                setMapping(assign(mapping, index, field))
                setLeftOut([...leftOut.filter((each) => each !== index), ...(field ? [] : [index])])
              }}
            />
          ))}
        </ul>
      </fieldset>
      <SelectField
        label="Dates such as 05/04/2023"
        fieldClassName="max-w-xs"
        value={dateOrder ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setDateOrder(value === 'month-first' || value === 'day-first' ? value : undefined)
        }
      >
        <option value="">Decide from the dates in the file</option>
        <option value="month-first">May 4, 2023 (month first)</option>
        <option value="day-first">April 5, 2023 (day first)</option>
      </SelectField>
      <fieldset className="grid max-w-2xl gap-3">
        <legend className="display mb-3 text-xl">New members</legend>
        <Choice
          type="checkbox"
          label="Give complimentary members free access"
          description="Members that the file lists as complimentary, until the date in the file or the one below."
          checked={hasAccess}
          onChange={(event) => setHasAccess(event.currentTarget.checked)}
        />
        {hasAccess && (
          <TextField
            label="Free access until"
            type="date"
            name="complimentaryUntil"
            required
            defaultValue={options?.complimentaryUntil ?? inOneYear()}
            fieldClassName="max-w-xs"
          />
        )}
        <Choice
          type="checkbox"
          name="vouchConfirmed"
          label="Subscribed members confirmed their address there"
          description={ownWords`Otherwise only those that the file says have confirmed; others get no drops or news until they have signed in.`}
          defaultChecked={options?.vouchConfirmed ?? false}
        />
        <Choice
          type="checkbox"
          name="freeEdition"
          label="Give subscribed members the free edition"
          description={ownWords`What is open to everyone of each drop, unless they have a plan. The check says how many. Without it, they get product news only.`}
          defaultChecked={options?.freeEdition ?? true}
        />
        <Choice
          type="checkbox"
          name="invite"
          label="Email an invitation to each new member"
          description="One email to those who are subscribed. Without it, the import sends nothing."
          defaultChecked={options?.invite ?? false}
        />
        <TextField
          label="Tag for new members (optional)"
          name="tag"
          maxLength={40}
          autoComplete="off"
          defaultValue={options?.tag ?? ''}
          fieldClassName="max-w-xs"
        />
      </fieldset>
      <fieldset className="grid max-w-2xl gap-3">
        <legend className="display text-xl">Members you already have</legend>
        <p className="mb-1 text-muted">They stay as they are. No one is renamed, resubscribed, or loses anything.</p>
        <Choice
          type="checkbox"
          name="fillExisting"
          label="Fill in what they lack"
          description="Names, tags, notes, answers and fields that are missing here."
          defaultChecked={options?.fillExisting ?? false}
        />
        <Choice
          type="checkbox"
          name="unsubscribeExisting"
          label="Apply unsubscribes and bounces"
          description="Members that the file lists as unsubscribed, bounced or complained get no more email."
          defaultChecked={options?.unsubscribeExisting ?? false}
        />
      </fieldset>
      <FormError>
        {mapping.email === undefined
          ? 'Choose the column with the email addresses.'
          : asked.length > 0
            ? `Say what “${found.header[asked[0] ?? 0]}” means: it seems to say who gets email.`
            : check.isError
              ? formErrorMessage(check.error)
              : null}
      </FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={check.isPending} disabled={mapping.email === undefined || asked.length > 0}>
          Check the file
        </Button>
        <Button variant="quiet" pending={cancel.isPending} onClick={() => cancel.mutate({ id: found.id })}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

type MappedField = ImportField | CustomImportField

const fieldNames = (fields: readonly CustomField[]): MappedField[] => [
  ...importFieldNames,
  ...fields.map(({ id }) => customImportField(id)),
]

/** A field belongs to one column, and a column to one field. */
function assign(mapping: ImportMapping, column: number, field: MappedField | null): ImportMapping {
  const others = Object.entries(mapping).filter(([name, index]) => index !== column && name !== field)
  return { ...Object.fromEntries(others), ...(field && { [field]: column }) }
}

type ColumnRowProps = {
  column: string
  samples: readonly string[]
  field: MappedField | null
  /** The publisher's own. */
  fields: readonly CustomField[]
  /** True if the column seems to say who gets email, and the publisher hasn't said whether it does. */
  isAsked: boolean
  onChange: (field: MappedField | null) => void
}

/** The choice that makes a new field. */
const newField = 'new'
const askedValue = 'asked'

function ColumnRow({ column, samples, field, fields, isAsked, onChange }: ColumnRowProps) {
  const create = useChange(adminSaveCustomFieldCall, { stores: storedFieldsQuery })
  const handleChange = (value: string) => {
    if (value !== newField) return onChange((value || null) as MappedField | null)
    const isNumber = samples.length > 0 && samples.every((sample) => /^-?\d{1,9}(\.\d+)?$/.test(sample.trim()))
    const label = column.slice(0, maxFieldLabelLength).trim()
    const kind = isNumber ? 'number' : 'text'
    create.mutate(
      { id: null, version: 0, label, help: '', kind, asked: 'never', required: false, options: [] },
      {
        onSuccess: ({ items }) => {
          const made = items.find((item) => item.label === label && !item.retired)
          if (made) onChange(customImportField(made.id))
        },
      },
    )
  }
  return (
    <li className="grid items-center gap-x-6 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_18rem]">
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">{column}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {shorten(samples.slice(0, 3).join(' · ')) || 'Empty in the first lines'}
        </p>
      </div>
      <select
        aria-label={`Meaning of ${column}`}
        className={inputStyles}
        value={isAsked ? askedValue : (field ?? '')}
        disabled={create.isPending}
        onChange={(event) => handleChange(event.currentTarget.value)}
      >
        {isAsked && (
          <option value={askedValue} disabled>
            Does it say who gets email?
          </option>
        )}
        <option value="">Leave out</option>
        <OptionList of={importFieldNames.map((name) => [name, importFieldLabel(publication, name)])} />
        <OptionList of={fields.map(({ id, label }) => [customImportField(id), label])} />
        <option value={newField}>Create a field with this name</option>
      </select>
      {create.isError && <FormError>{formErrorMessage(create.error)}</FormError>}
    </li>
  )
}

const maxSampleLength = 80
const shorten = (text: string) => (text.length > maxSampleLength ? `${text.slice(0, maxSampleLength)}…` : text)
