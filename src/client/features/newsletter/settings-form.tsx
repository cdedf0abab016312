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
      <Section title="Time zone" lede="All times in the admin are chosen and shown in it.">
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
        lede="Made on the first of each month for readers who chose it, from the drops of the month before."
      >
        <Field label="When it is made" className="max-w-sm">
          {(control) => (
            <select {...control} name="digest" defaultValue={digest ?? 'draft'} className={inputStyles}>
              <option value="draft">Wait for me as a draft</option>
              <option value="send">Send it at once</option>
            </select>
          )}
        </Field>
      </Section>
      <Section
        title="Sending limits"
        lede="Left empty, emails go out as fast as your mail server takes them. Changes apply right away, also to mailings that are being sent."
      >
        <div className="grid max-w-xl gap-5 sm:grid-cols-2">
          <TextField
            label="Mails a second"
            name="perSecond"
            type="number"
            min={0.1}
            step="any"
            max={10_000}
            defaultValue={limits.perSecond ?? ''}
          />
          <TextField label="Mails an hour" name="perHour" type="number" min={1} defaultValue={limits.perHour ?? ''} />
          <Field
            className="sm:col-span-2"
            label="Mails an hour to one receiving domain"
            hint="One a line, such as “gmail.com 2000”. A star stands for every other domain."
            error={unclear === null ? undefined : `“${unclear}” should be a domain and a number above 0.`}
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
        lede="A domain that has never sent starts small and grows day by day, or its email lands in spam. Before the first day, and without one, nothing is limited. Each day starts at midnight in the time zone above."
      >
        <div className="grid max-w-xl gap-5 sm:grid-cols-2">
          <TextField label="First day" name="startedOn" type="date" defaultValue={limits.warmUp?.startedOn ?? ''} />
          <TextField
            label="Mails on it"
            name="firstDay"
            type="number"
            min={1}
            defaultValue={limits.warmUp?.firstDay ?? 200}
          />
          <TextField
            label="Times more each day"
            name="growth"
            type="number"
            min={1}
            max={5}
            step="0.1"
            defaultValue={limits.warmUp?.growth ?? 1.5}
          />
          <TextField
            label="Until a day has"
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
        title="Counting"
        lede="Off, nobody’s opens or clicks are ever counted. On, those of readers who agree to it."
      >
        <Choice
          type="checkbox"
          name="tracking"
          className="max-w-xl"
          label="Opens and clicks may be counted"
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
