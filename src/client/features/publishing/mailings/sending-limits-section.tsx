import { TextField } from '#client/ui/field.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { Section } from '#client/ui/section.tsx'
import { TextAreaField } from '#client/ui/text-area-field.tsx'
import type { SendingSettings } from '#shared/contracts/publishing/sending-settings.ts'
import { formatDomainLimits, parseDomainLimits } from './domain-limits-text.ts'

type Limits = SendingSettings['limits']
export type LimitErrors = { domains?: string; warmUp?: string }

const numberOf = (value: FormDataEntryValue | null) => (value ? Number(value) : null)

/** Reads the fields of this section. The limits are only meaningful without errors. */
export function readLimits(form: FormData): { limits: Limits; errors: LimitErrors } {
  const startedOn = String(form.get('startedOn') ?? '')
  const [firstDay, growth, end] = ['firstDay', 'growth', 'end'].map((name) => numberOf(form.get(name)))
  const warmUp = startedOn && firstDay && growth && end ? { startedOn, firstDay, growth, end } : null
  const domains = parseDomainLimits(String(form.get('domains') ?? ''))
  const errors: LimitErrors = {}
  if (domains.unclear !== null)
    errors.domains = `“${domains.unclear}” isn’t valid. Enter a domain and a number greater than 0.`
  if (startedOn !== '' && !warmUp)
    errors.warmUp = 'Enter all three numbers, or clear the start date to send without a warm-up.'
  return {
    limits: {
      perSecond: numberOf(form.get('perSecond')),
      perHour: numberOf(form.get('perHour')),
      perDomainHour: domains.limits,
      warmUp,
    },
    errors,
  }
}

/** Limits per second, hour and receiving domain, and the warm-up. */
export function SendingLimitsSection({ limits, errors }: { limits: Limits; errors: LimitErrors }) {
  const { perSecond, perHour, perDomainHour, warmUp } = limits
  return (
    <>
      <Section
        title="Sending limits"
        lede="Leave a field empty for no limit. Changes take effect right away, including for mailings in progress."
      >
        <div className="grid max-w-xl gap-5 sm:grid-cols-2">
          <TextField
            label="Emails per second"
            name="perSecond"
            type="number"
            min={0.1}
            step="any"
            max={10_000}
            defaultValue={perSecond ?? ''}
          />
          <TextField label="Emails per hour" name="perHour" type="number" min={1} defaultValue={perHour ?? ''} />
          <TextAreaField
            fieldClassName="sm:col-span-2"
            label="Emails per hour by receiving domain"
            hint="One per line, such as “gmail.com 2000”. Use * for all other domains."
            error={errors.domains}
            name="domains"
            rows={3}
            className="py-2.5"
            defaultValue={formatDomainLimits(perDomainHour)}
          />
        </div>
      </Section>
      <Section
        title="Warm-up"
        lede="Increase volume gradually when you send from a new domain, so that your email doesn’t land in spam. Leave the start date empty to send without a warm-up. Days start at midnight in the time zone above."
      >
        <div className="grid max-w-xl gap-5 sm:grid-cols-2">
          <TextField label="Start date" name="startedOn" type="date" defaultValue={warmUp?.startedOn ?? ''} />
          <TextField
            label="Emails on the first day"
            name="firstDay"
            type="number"
            min={1}
            defaultValue={warmUp?.firstDay ?? 200}
          />
          <TextField
            label="Daily growth factor"
            name="growth"
            type="number"
            min={1}
            max={5}
            step="0.1"
            defaultValue={warmUp?.growth ?? 1.5}
          />
          <TextField
            label="Target daily volume"
            name="end"
            type="number"
            min={1}
            defaultValue={warmUp?.end ?? 50_000}
          />
        </div>
        <InlineError className="mt-3">{errors.warmUp}</InlineError>
      </Section>
    </>
  )
}
