import { type SubmitEvent, useRef } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Field, inputStyles } from '#client/ui/field.tsx'
import { eventGroups, type SecurityEvent, securityEventNames } from '#shared/domain/security-events.ts'
import type { LogFilter } from './audit-log.api.ts'

/** Anything that is not the name of an event, such as an old bookmark, means every event. */
export const parseEvent = (text: string | null): SecurityEvent | null =>
  securityEventNames.find((name) => name === text) ?? null

/** Narrows the log to one person (what happened to them and what they did), one kind of event, or both. */
export function LogFilterForm({ filter, onFilter }: { filter: LogFilter; onFilter: (filter: LogFilter) => void }) {
  const form = useRef<HTMLFormElement>(null)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    onFilter({ email: String(data.get('email')).trim(), event: parseEvent(String(data.get('event'))) })
  }
  return (
    <form
      ref={form}
      aria-label="Narrow the log"
      onSubmit={handleSubmit}
      className="grid items-end gap-4 py-6 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
    >
      <Field label="Address">
        {(control) => (
          <input
            {...control}
            type="search"
            name="email"
            defaultValue={filter.email}
            placeholder="The whole address"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={320}
            className={inputStyles}
          />
        )}
      </Field>
      <Field label="Event">
        {(control) => (
          <select
            {...control}
            name="event"
            defaultValue={filter.event ?? ''}
            onChange={() => form.current?.requestSubmit()}
            className={inputStyles}
          >
            <option value="">Every event</option>
            {Object.entries(eventGroups).map(([group, events]) => (
              <optgroup key={group} label={group}>
                {Object.entries(events).map(([name, words]) => (
                  <option key={name} value={name}>
                    {words}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <Button type="submit" variant="secondary">
        Show
      </Button>
    </form>
  )
}
