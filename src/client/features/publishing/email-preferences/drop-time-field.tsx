import { ownWords } from '#client/lib/own-words.ts'
import { browserTimeZone } from '#client/lib/time-zone.ts'
import { SelectField } from '#client/ui/select-field.tsx'
import type { EmailPreferences } from '#shared/contracts/publishing/email-preferences.ts'
import { type DropTime, formatHour, hoursOfDay, parseDropTime } from '#shared/domain/reader-hour.ts'

type DropTimeFieldProps = { saved: EmailPreferences; value: DropTime; onChange: (value: DropTime) => void }

/** When drops arrive: with everyone else's, when the reader usually reads, or at an hour of the day. */
export function DropTimeField({ saved, value, onChange }: DropTimeFieldProps) {
  const { usualHour, timeZone } = saved
  const zone = browserTimeZone() ?? timeZone
  const usual = usualHour === null ? 'we don’t know it yet' : `about ${formatHour(usualHour)}`
  return (
    <SelectField
      label={ownWords`Drops arrive`}
      hint={zone ? `Within 24 hours of publication. Time zone: ${zone.replaceAll('_', ' ')}.` : undefined}
      fieldClassName="max-w-sm"
      value={String(value)}
      onChange={({ target }) => onChange(parseDropTime(target.value) ?? 'usual')}
    >
      <option value="publication">At the usual time</option>
      <option value="usual">At the hour I usually read ({usual})</option>
      {hoursOfDay.map((hour) => (
        <option key={hour} value={hour}>
          At {formatHour(hour)}
        </option>
      ))}
    </SelectField>
  )
}
