import { type SubmitEvent, useRef } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Field, inputStyles } from '#client/ui/field.tsx'
import { suppressedStreams, suppressionReasons } from '#shared/contracts/deliverability.ts'
import type { SuppressionFilter } from './suppressions.api.ts'

/** Null, which means all, for an unknown value such as one from an old bookmark. */
export const oneOf = <Word extends string>(words: Readonly<Record<Word, string>>, text: string | null): Word | null =>
  (Object.keys(words) as Word[]).find((word) => word === text) ?? null

type FilterFormProps = { filter: SuppressionFilter; onFilter: (filter: SuppressionFilter) => void }

export function SuppressionFilterForm({ filter, onFilter }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const submit = () => form.current?.requestSubmit()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    onFilter({
      search: String(data.get('search')).trim(),
      reason: oneOf(suppressionReasons, String(data.get('reason'))),
      stream: oneOf(suppressedStreams, String(data.get('stream'))),
      lifted: data.has('lifted'),
    })
  }
  return (
    <form
      ref={form}
      aria-label="Filter suppressions"
      onSubmit={handleSubmit}
      className="grid items-end gap-4 py-6 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
    >
      <Field label="Email address">
        {(control) => (
          <input
            {...control}
            type="search"
            name="search"
            defaultValue={filter.search}
            placeholder="Search by email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={320}
            className={inputStyles}
          />
        )}
      </Field>
      <Choose
        label="Reason"
        name="reason"
        all="All reasons"
        words={suppressionReasons}
        value={filter.reason}
        onChange={submit}
      />
      <Choose
        label="Emails"
        name="stream"
        all="All emails"
        words={suppressedStreams}
        value={filter.stream}
        onChange={submit}
      />
      <Button type="submit" variant="secondary">
        Search
      </Button>
      <label className="flex min-h-11 items-center gap-3">
        <input type="checkbox" name="lifted" defaultChecked={filter.lifted} onChange={submit} className="size-5" />
        Show removed suppressions
      </label>
    </form>
  )
}

type ChooseProps = {
  label: string
  name: string
  all: string
  words: Readonly<Record<string, string>>
  value: string | null
  onChange: () => void
}

function Choose({ label, name, all, words, value, onChange }: ChooseProps) {
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} name={name} defaultValue={value ?? ''} onChange={onChange} className={inputStyles}>
          <option value="">{all}</option>
          {Object.entries(words).map(([word, text]) => (
            <option key={word} value={word}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
