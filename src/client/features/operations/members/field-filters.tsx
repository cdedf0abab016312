import { useQuery } from '@tanstack/react-query'
import { storedFieldsQuery } from '#client/features/reader/custom-fields/admin-fields.api.ts'
import { TextField } from '#client/ui/field.tsx'
import { type CustomField, hasOptions, optionText } from '#shared/domain/custom-fields.ts'
import type { FieldCondition } from '#shared/domain/field-conditions.ts'
import type { MemberFilter } from '#shared/domain/member-filter.ts'
import { Checks, Choice } from './filter-controls.tsx'

const filledTexts = { yes: 'Answered', no: 'Not answered' }
const nameOf = (id: number, part: string) => `field-${id}-${part}`

/** One group of inputs for each field of the publisher. Retired fields are there if the filter names them. */
export function FieldFilters({ filter }: { filter: MemberFilter }) {
  const { data } = useQuery(storedFieldsQuery)
  const fields = (data?.items ?? []).filter(
    ({ id, retired }) => !retired || filter.fields.some(({ field }) => field === id),
  )
  return fields.map((field) => (
    <FieldFilter
      key={field.id}
      field={field}
      conditions={filter.fields.filter((condition) => condition.field === field.id)}
    />
  ))
}

function FieldFilter({ field, conditions }: { field: CustomField; conditions: readonly FieldCondition[] }) {
  const { id, label, kind } = field
  const find = <Key extends string>(key: Key) =>
    conditions.find((condition): condition is Extract<FieldCondition, Record<Key, unknown>> => key in condition)
  const filled = find('filled')?.filled
  const options = hasOptions(kind)
    ? Object.fromEntries(field.options.map((option) => [option.key, optionText(option)]))
    : { yes: 'Yes', no: 'No' }
  const range = find('min')
  const days = find('from')
  return (
    <div className="grid gap-3">
      {(hasOptions(kind) || kind === 'yes_no') && (
        <Checks legend={label} name={nameOf(id, 'any')} options={options} chosen={find('anyOf')?.anyOf ?? []} />
      )}
      {kind === 'text' && (
        <TextField
          label={`${label}, contains the words`}
          name={nameOf(id, 'words')}
          maxLength={200}
          defaultValue={find('words')?.words}
        />
      )}
      {kind === 'number' && (
        <div className="grid grid-cols-2 items-start gap-4">
          <TextField
            label={`${label}, at least`}
            name={nameOf(id, 'min')}
            type="number"
            step="any"
            defaultValue={range?.min ?? ''}
          />
          <TextField
            label="At most"
            name={nameOf(id, 'max')}
            type="number"
            step="any"
            defaultValue={range?.max ?? ''}
          />
        </div>
      )}
      {kind === 'date' && (
        <div className="grid grid-cols-2 items-start gap-4">
          <TextField label={`${label}, from`} name={nameOf(id, 'from')} type="date" defaultValue={days?.from ?? ''} />
          <TextField label="To" name={nameOf(id, 'to')} type="date" defaultValue={days?.to ?? ''} />
        </div>
      )}
      <Choice
        label={`${label}, answered or not`}
        name={nameOf(id, 'filled')}
        value={filled === undefined ? '' : filled ? 'yes' : 'no'}
        options={filledTexts}
      />
    </div>
  )
}

/** The conditions in the form, as `memberFilterSchema` expects them. */
export function readFieldFilters(form: FormData): object[] {
  const ids = new Set([...form.keys()].flatMap((name) => /^field-(\d+)-/.exec(name)?.[1] ?? []).map(Number))
  return [...ids].flatMap((field) => {
    const text = (part: string) => String(form.get(nameOf(field, part)) ?? '').trim()
    const number = (part: string) => (text(part) === '' ? null : Number(text(part)))
    const anyOf = form.getAll(nameOf(field, 'any')).map(String)
    const [min, max] = [number('min'), number('max')]
    const [from, to] = [text('from') || null, text('to') || null]
    return [
      ...(anyOf.length > 0 ? [{ field, anyOf }] : []),
      ...(text('words') ? [{ field, words: text('words') }] : []),
      ...(min !== null || max !== null ? [{ field, min, max }] : []),
      ...(from || to ? [{ field, from, to }] : []),
      ...(text('filled') ? [{ field, filled: text('filled') === 'yes' }] : []),
    ]
  })
}
