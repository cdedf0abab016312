import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { Field, inputStyles, TextField } from '#client/ui/field.tsx'
import { FormError, InlineError } from '#client/ui/form-error.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import type { SendingSettingsPage } from '#shared/contracts/sending-settings.ts'
import { formatDomainLimits, parseDomainLimits } from './domain-limits-text.ts'
import { type SenderErrors, SenderSection, senderErrorsOf } from './sender-section.tsx'
import { sendingSettingsQuery, useSaveSendingSettings } from './settings.api.ts'
import { zonesWith } from './time-zones.ts'

export function SettingsForm() {
  const settings = useQuery(sendingSettingsQuery)
  if (settings.data) return <Fields settings={settings.data} />
  if (settings.isError) {
    return <LoadError what="the settings" query={settings} />
  }
  return (
    <LoadingPlaceholder>
      <SkeletonText lines={8} height="h-11" className="max-w-xl" />
    </LoadingPlaceholder>
  )
}

const numberOf = (value: FormDataEntryValue | null) => (value ? Number(value) : null)

function Fields({ settings }: { settings: SendingSettingsPage }) {
  const { timeZone, limits, tracking, digest } = settings
  const save = useSaveSendingSettings()
  const [unclear, setUnclear] = useState<string | null>(null)
  const [isWarmUpIncomplete, setIsWarmUpIncomplete] = useState(false)
  const [senderErrors, setSenderErrors] = useState<SenderErrors>({})
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const form = new FormData(event.currentTarget)
    const startedOn = String(form.get('startedOn') ?? '')
    const [firstDay, growth, end] = ['firstDay', 'growth', 'end'].map((name) => numberOf(form.get(name)))
    const warmUp = startedOn && firstDay && growth && end ? { startedOn, firstDay, growth, end } : null
    const isIncomplete = startedOn !== '' && !warmUp
    setIsWarmUpIncomplete(isIncomplete)
    const domains = parseDomainLimits(String(form.get('domains') ?? ''))
    setUnclear(domains.unclear)
    if (domains.unclear !== null || isIncomplete) return
    const sender = {
      replyTo: String(form.get('replyTo') ?? ''),
      postalAddress: String(form.get('postalAddress') ?? ''),
    }
    const errors = senderErrorsOf(sender)
    setSenderErrors(errors)
    if (errors.replyTo || errors.postalAddress) return
    save.mutate({
      ...sender,
      timeZone: String(form.get('zone')),
      tracking: form.get('tracking') === 'on',
      digest: form.get('digest') === 'send' ? 'send' : 'draft',
      limits: {
        perSecond: numberOf(form.get('perSecond')),
        perHour: numberOf(form.get('perHour')),
        perDomainHour: domains.limits,
        warmUp,
      },
    })
  }
  return (
    <form onSubmit={handleSubmit}>
      <SenderSection settings={settings} errors={senderErrors} />
      <Section title="Time zone" lede="Used for all times in the admin.">
        <Field label="Zone" className="max-w-sm">
          {(control) => (
            <select {...control} name="zone" defaultValue={timeZone} className={inputStyles}>
              {zonesWith(timeZone).map((zone) => (
                <option key={zone} value={zone}>
                  {zone.replaceAll('_', ' ')}
                </option>
              ))}
            </select>
          )}
        </Field>
      </Section>
      <Section
        title="Monthly digest"
        lede="Created on the first of each month from last month’s drops, for readers who chose the digest."
      >
        <Field label="When it’s ready" className="max-w-sm">
          {(control) => (
            <select {...control} name="digest" defaultValue={digest ?? 'draft'} className={inputStyles}>
              <option value="draft">Save it as a draft</option>
              <option value="send">Send it automatically</option>
            </select>
          )}
        </Field>
      </Section>
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
            defaultValue={limits.perSecond ?? ''}
          />
          <TextField label="Emails per hour" name="perHour" type="number" min={1} defaultValue={limits.perHour ?? ''} />
          <Field
            className="sm:col-span-2"
            label="Emails per hour by receiving domain"
            hint="One per line, such as “gmail.com 2000”. Use * for all other domains."
            error={
              unclear === null ? undefined : `“${unclear}” isn’t valid. Enter a domain and a number greater than 0.`
            }
          >
            {(control) => (
              <textarea
                {...control}
                name="domains"
                rows={3}
                className={`${inputStyles} py-2.5`}
                defaultValue={formatDomainLimits(limits.perDomainHour)}
              />
            )}
          </Field>
        </div>
      </Section>
      <Section
        title="Warm-up"
        lede="Increase volume gradually when you send from a new domain, so that your email doesn’t land in spam. Leave the first day empty to send without a warm-up. Days start at midnight in the time zone above."
      >
        <div className="grid max-w-xl gap-5 sm:grid-cols-2">
          <TextField label="First day" name="startedOn" type="date" defaultValue={limits.warmUp?.startedOn ?? ''} />
          <TextField
            label="Emails on the first day"
            name="firstDay"
            type="number"
            min={1}
            defaultValue={limits.warmUp?.firstDay ?? 200}
          />
          <TextField
            label="Daily growth factor"
            name="growth"
            type="number"
            min={1}
            max={5}
            step="0.1"
            defaultValue={limits.warmUp?.growth ?? 1.5}
          />
          <TextField
            label="Daily volume to reach"
            name="end"
            type="number"
            min={1}
            defaultValue={limits.warmUp?.end ?? 50_000}
          />
        </div>
        <InlineError className="mt-3">
          {isWarmUpIncomplete
            ? 'Enter all three numbers, or clear the first day to send without a warm-up.'
            : undefined}
        </InlineError>
      </Section>
      <Section
        title="Tracking"
        lede="If on, opens and clicks are counted for readers who allow it. If off, they’re never counted."
      >
        <Choice
          type="checkbox"
          name="tracking"
          className="max-w-xl"
          label="Count opens and clicks"
          defaultChecked={tracking}
        />
      </Section>
      <FormError>{formErrorMessage(save.error)}</FormError>
      <Button type="submit" className="mt-4" pending={save.isPending}>
        Save settings
      </Button>
    </form>
  )
}
