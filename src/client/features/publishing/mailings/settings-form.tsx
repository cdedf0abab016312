import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { CallError, invoke } from '#client/lib/invoke.ts'
import { mergeChanges } from '#client/lib/merge-changes.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { EditConflict } from '#client/ui/edit-conflict.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { Section } from '#client/ui/section.tsx'
import { SelectField } from '#client/ui/select-field.tsx'
import {
  adminSendingSettingsCall,
  type SendingSettings,
  type SendingSettingsPage,
  type VersionedSendingSettings,
} from '#shared/contracts/publishing/sending-settings.ts'
import { zonesWith } from '#shared/domain/zoned-time.ts'
import { type SenderErrors, SenderSection, senderErrorsOf } from './sender-section.tsx'
import { type LimitErrors, readLimits, SendingLimitsSection } from './sending-limits-section.tsx'
import { sendingSettingsQuery } from './settings.api.ts'

/** The newer settings, if someone else saved them meanwhile. */
function conflictOf(error: Error | null): VersionedSendingSettings | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return (error.body as { current?: VersionedSendingSettings }).current ?? null
}

function useSaveSendingSettings() {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: (save: { save: SendingSettings; version: number }) => invoke(adminSendingSettingsCall, save),
    onSuccess: (settings) => queryClient.setQueryData(sendingSettingsQuery.queryKey, settings),
    done: 'Settings saved',
  })
}

export function SettingsForm() {
  const settings = useQuery(sendingSettingsQuery)
  if (settings.data) return <Fields settings={settings.data} />
  return <QueryPlaceholder query={settings} what="the settings" lines={8} height="h-11" className="max-w-xl" />
}

/** Flattened, so that two people's changes of different limits are merged instead of conflicting. */
type FlatSettings = Omit<SendingSettings, 'limits'> & SendingSettings['limits']

const labels: Record<keyof FlatSettings, string> = {
  replyTo: 'Reply-To',
  postalAddress: 'Postal address',
  timeZone: 'Time zone',
  readerHours: 'Readers’ own hours',
  digest: 'Monthly digest',
  perSecond: 'Emails per second',
  perHour: 'Emails per hour',
  perDomainHour: 'Emails per hour by receiving domain',
  warmUp: 'Warm-up',
  tracking: 'Tracking',
}

const flatten = ({
  limits,
  timeZone,
  tracking,
  readerHours,
  digest,
  replyTo,
  postalAddress,
}: SendingSettings): FlatSettings => ({
  ...{ timeZone, tracking, readerHours: readerHours ?? false, ...limits },
  ...{ digest: digest ?? 'draft', replyTo: replyTo ?? '', postalAddress: postalAddress ?? '' },
})

const nest = ({ perSecond, perHour, perDomainHour, warmUp, ...others }: FlatSettings): SendingSettings => ({
  ...others,
  limits: { perSecond, perHour, perDomainHour, warmUp },
})

function Fields({ settings }: { settings: SendingSettingsPage }) {
  /** Values that the fields started with. Filled again when `round` changes. */
  const [{ base, round }, setFilled] = useState({ base: settings, round: 0 })
  const { timeZone, limits, tracking, readerHours, digest } = base
  const save = useSaveSendingSettings()
  const theirs = conflictOf(save.error)
  const merged = theirs && save.variables && mergeChanges(flatten(base), flatten(save.variables.save), flatten(theirs))
  const textOf = (value: FlatSettings[keyof FlatSettings]) =>
    typeof value === 'object' ? null : String(value ?? 'No limit')
  const fillWith = (values: VersionedSendingSettings) => {
    setFilled({ base: { ...base, ...values }, round: round + 1 })
    save.reset()
  }
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
    const chosen: SendingSettings = {
      ...sender,
      timeZone: String(form.get('zone')),
      tracking: form.get('tracking') === 'on',
      readerHours: form.get('readerHours') === 'on',
      digest: form.get('digest') === 'send' ? 'send' : 'draft',
      limits: chosenLimits,
    }
    save.mutate({ save: chosen, version: base.version }, { onSuccess: (saved) => setFilled({ base: saved, round }) })
  }
  return (
    <form key={round} onSubmit={handleSubmit}>
      <SenderSection settings={base} errors={senderErrors} />
      <Section title="Time zone" lede="Used for all times in the admin.">
        <SelectField label="Zone" fieldClassName="max-w-sm" name="zone" defaultValue={timeZone}>
          {zonesWith(timeZone).map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
      </Section>
      <Section
        title={ownWords`Delivery time of drops`}
        lede={ownWords`If on, drops can reach each reader at their own hour: the one at which they usually read, or one they choose in their email settings. You choose for each drop.`}
      >
        <Choice
          type="checkbox"
          name="readerHours"
          className="max-w-xl"
          label={ownWords`Let readers get drops at their own hour`}
          description="Within 24 hours of the publication’s time, in the reader’s time zone."
          defaultChecked={readerHours ?? false}
        />
      </Section>
      <Section
        title="Monthly digest"
        lede={ownWords`Created on the first of each month from last month’s drops, for readers who chose the digest.`}
      >
        <SelectField label="When it’s ready" fieldClassName="max-w-sm" name="digest" defaultValue={digest ?? 'draft'}>
          <option value="draft">Save it as a draft</option>
          <option value="send">Send it automatically</option>
        </SelectField>
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
      {theirs && merged ? (
        <EditConflict
          overlap={merged.overlap.map((name) => ({ label: labels[name], theirs: textOf(flatten(theirs)[name]) }))}
          isPending={save.isPending}
          onSave={() => save.mutate({ save: nest(merged.merged), version: theirs.version }, { onSuccess: fillWith })}
          onDiscard={() => fillWith(theirs)}
        />
      ) : (
        <FormError>{formErrorMessage(save.error)}</FormError>
      )}
      <Button type="submit" className="mt-4" pending={save.isPending} disabled={theirs !== null}>
        Save settings
      </Button>
    </form>
  )
}
