import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { Field } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import type { SendingSettingsPage } from '#shared/contracts/sending-settings.ts'
import { zonesWith } from '#shared/domain/zoned-time.ts'
import { type SenderErrors, SenderSection, senderErrorsOf } from './sender-section.tsx'
import { type LimitErrors, readLimits, SendingLimitsSection } from './sending-limits-section.tsx'
import { sendingSettingsQuery, useSaveSendingSettings } from './settings.api.ts'

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

function Fields({ settings }: { settings: SendingSettingsPage }) {
  const { timeZone, limits, tracking, digest } = settings
  const save = useSaveSendingSettings()
  const [limitErrors, setLimitErrors] = useState<LimitErrors>({})
  const [senderErrors, setSenderErrors] = useState<SenderErrors>({})
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const form = new FormData(event.currentTarget)
    const { limits: chosenLimits, errors: newLimitErrors } = readLimits(form)
    setLimitErrors(newLimitErrors)
    if (newLimitErrors.domains || newLimitErrors.warmUp) return
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
      limits: chosenLimits,
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
      <SendingLimitsSection limits={limits} errors={limitErrors} />
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
